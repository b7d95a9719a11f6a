import { ActionIcon, Badge, Box, Button, Group, Modal, Skeleton, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Download, Map as MapIcon, Trash2 } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { apiUrl } from "../../api/base";
import { formatAge } from "../../shared/format";
import { Panel } from "../../shared/Panel";
import { QueryError } from "../../shared/states/QueryError";
import { StateMessage } from "../../shared/states/StateMessage";
import { useNow } from "../../shared/useNow";
import campaign from "../campaign.module.css";
import { type CampaignRow, campaignKeys, campaignsQuery, deleteCampaign } from "../state/calls";
import { tell } from "../state/tell";
import classes from "./Lobby.module.css";
import { NewCampaign } from "./NewCampaign";

/** The campaigns that are kept, and the way to a new one. */
export function Lobby() {
  useDocumentTitle("Campaigns · Diorama");
  const campaigns = useQuery(campaignsQuery);
  const rows = campaigns.data?.campaigns ?? [];
  return (
    <div className={campaign.page}>
      <div className={classes.lobbyHead}>
        <Title order={1}>Campaigns</Title>
        <Text c="dimmed" maw={720}>
          Lead a power for a year: feed its cities, hold its government together, move its fleets. Battles are fought in
          the arena and can be watched.
        </Text>
      </div>
      <div className={classes.lobby}>
        <Panel title="Your campaigns" note={rows.length > 0 ? `${rows.length} kept` : undefined}>
          {campaigns.isPending && (
            <Box p="md">
              <Skeleton h={160} />
            </Box>
          )}
          {campaigns.error !== null && (
            <QueryError error={campaigns.error} what="the campaigns" onRetry={() => void campaigns.refetch()} />
          )}
          {campaigns.data !== undefined && rows.length === 0 && (
            <StateMessage
              icon={MapIcon}
              title="No campaign yet"
              hint="Begin one beside this list, or upload a save. It is kept on the server, also when it restarts."
              isCompact
            />
          )}
          <ul className={classes.kept}>
            {rows.map((row) => (
              <KeptCampaign key={row.campaign_id} row={row} />
            ))}
          </ul>
        </Panel>
        <NewCampaign />
      </div>
    </div>
  );
}

const SLOW_CLOCK_MS = 30_000;

function KeptCampaign({ row }: { row: CampaignRow }) {
  const now = useNow(SLOW_CLOCK_MS);
  const name = row.name ?? row.campaign_id;
  return (
    <li>
      <div className={classes.keptWords}>
        {row.problem === null ? (
          <Link href={`/campaign/${row.campaign_id}`} className={classes.keptName}>
            {name}
          </Link>
        ) : (
          <b>{name}</b>
        )}
        <Text size="sm" c="dimmed" className="tabular">
          {row.problem === null
            ? `Day ${row.day} of ${row.last_day}, ${row.player_name ?? "bots only"}, seed ${row.seed}, played ${formatAge(row.updated_at, now)}`
            : `Cannot be read: ${row.problem}`}
        </Text>
      </div>
      {row.is_battle_waiting && (
        <Badge color="red" variant="light">
          battle waits
        </Badge>
      )}
      {row.is_over && (
        <Badge color="gray" variant="light">
          over
        </Badge>
      )}
      {row.problem === null && (
        <ActionIcon
          component="a"
          href={apiUrl(`/api/campaigns/${row.campaign_id}/save`)}
          download
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={`Download the save of ${name}`}
        >
          <Download size={17} aria-hidden />
        </ActionIcon>
      )}
      <DeleteButton id={row.campaign_id} name={name} />
    </li>
  );
}

function DeleteButton({ id, name }: { id: string; name: string }) {
  const [isAsked, setAsked] = useState(false);
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => deleteCampaign(id),
    onSuccess: () => client.invalidateQueries({ queryKey: campaignKeys.all }),
    onError: (failure) => tell({ color: "red", title: "Not deleted", message: failure.message }),
    onSettled: () => setAsked(false),
  });
  return (
    <>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`Delete ${name}`} onClick={() => setAsked(true)}>
        <Trash2 size={17} aria-hidden />
      </ActionIcon>
      <Modal opened={isAsked} onClose={() => setAsked(false)} title={`Delete ${name}?`} centered>
        <Text size="sm" mb="md">
          The campaign is gone for good. Battles that were recorded stay among the runs.
        </Text>
        <Group>
          <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
            Delete it
          </Button>
          <Button variant="default" onClick={() => setAsked(false)}>
            Keep it
          </Button>
        </Group>
      </Modal>
    </>
  );
}
