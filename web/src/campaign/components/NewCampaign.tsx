import {
  Alert,
  Box,
  Button,
  FileButton,
  NumberInput,
  Radio,
  Select,
  Skeleton,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Flag, Upload } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useLocation } from "wouter";
import { capitalize } from "../../shared/capitalize";
import { Panel } from "../../shared/Panel";
import { QueryError } from "../../shared/states/QueryError";
import {
  type CampaignState,
  campaignKeys,
  createCampaign,
  type NewCampaign as NewCampaignBody,
  type ScenarioRow,
  scenariosQuery,
  uploadCampaign,
} from "../state/calls";

const NOBODY = "";

/** The form that begins a campaign, or goes on from a save. */
export function NewCampaign() {
  const scenarios = useQuery(scenariosQuery);
  return (
    <Panel title="Begin a campaign">
      {scenarios.isPending && (
        <Box p="md">
          <Skeleton h={280} />
        </Box>
      )}
      {scenarios.error !== null && (
        <QueryError error={scenarios.error} what="the scenarios" onRetry={() => void scenarios.refetch()} />
      )}
      {scenarios.data !== undefined && <CampaignForm scenarios={scenarios.data.scenarios} />}
    </Panel>
  );
}

function CampaignForm({ scenarios }: { scenarios: ScenarioRow[] }) {
  const [chosen, setChosen] = useState(scenarios[0]?.id ?? null);
  const scenario = scenarios.find(({ id }) => id === chosen);
  const [player, setPlayer] = useState(scenario?.factions[0]?.id ?? NOBODY);
  const [seed, setSeed] = useState<number | string>("");
  const [name, setName] = useState("");
  const opening = useOpening();
  if (scenario === undefined) {
    return (
      <Text c="dimmed" size="sm" p="md">
        No world that is installed offers campaigns.
      </Text>
    );
  }
  const begin = (event: FormEvent) => {
    event.preventDefault();
    const body: NewCampaignBody = {
      world: scenario.world,
      scenario: scenario.id,
      seed: typeof seed === "number" ? seed : null,
      player: player === NOBODY ? null : player,
      name: name.trim() || null,
    };
    opening.mutate(() => createCampaign(body));
  };
  const upload = (file: File | null) => {
    if (file !== null) {
      opening.mutate(async () => uploadCampaign(await file.text(), name.trim() || null));
    }
  };
  return (
    <form onSubmit={begin}>
      <Stack px="md" pb="md" gap="sm">
        <Select
          label="Scenario"
          data={scenarios.map(({ id, name: label }) => ({ value: id, label: capitalize(label) }))}
          value={chosen}
          allowDeselect={false}
          onChange={setChosen}
        />
        <Text size="sm" c="dimmed">
          {scenario.summary}
        </Text>
        <Radio.Group label="You lead" value={player} onChange={setPlayer}>
          <Stack gap={8} mt={6}>
            {scenario.factions.map((faction) => (
              <Radio key={faction.id} value={faction.id} label={faction.name} />
            ))}
            <Radio value={NOBODY} label="Nobody: watch bots play" />
          </Stack>
        </Radio.Group>
        <NumberInput
          label="Seed"
          description="The same seed and orders give the same campaign; left empty, one is drawn."
          min={1}
          max={Number.MAX_SAFE_INTEGER}
          allowDecimal={false}
          clampBehavior="strict"
          value={seed}
          onChange={setSeed}
        />
        <TextInput
          label="Name"
          placeholder="Left empty, its side and seed"
          maxLength={80}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {opening.error !== null && (
          <Alert color="red" title="Not begun">
            {capitalize(opening.error.message)}
          </Alert>
        )}
        <Button type="submit" leftSection={<Flag size={16} aria-hidden />} loading={opening.isPending}>
          Begin
        </Button>
        <FileButton accept="application/json" onChange={upload}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<Upload size={16} aria-hidden />}>
              Go on from a save
            </Button>
          )}
        </FileButton>
      </Stack>
    </form>
  );
}

function useOpening() {
  const client = useQueryClient();
  const [, go] = useLocation();
  return useMutation({
    mutationFn: (open: () => Promise<CampaignState>) => open(),
    onSuccess: (state) => {
      client.setQueryData(campaignKeys.one(state.campaign_id), state);
      go(`/campaign/${state.campaign_id}`);
    },
  });
}
