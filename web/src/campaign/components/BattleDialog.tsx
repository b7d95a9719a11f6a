import { Button, FileButton, Group, Modal, Select, Stack, Text } from "@mantine/core";
import { Download, Swords, Upload } from "lucide-react";
import { useState } from "react";
import type { JsonObject } from "../../api/types";
import { capitalize } from "../../shared/capitalize";
import { saveText } from "../../shared/saveFile";
import campaign from "../campaign.module.css";
import { bannerOf } from "../state/banners";
import { applyResult, type CampaignChange, fightBattle, type Recording, readPackage } from "../state/calls";
import { tell } from "../state/tell";
import type { CampaignActions } from "../state/useCampaign";
import { type Battle, type CampaignView, type PendingBattle, readView } from "../state/view";
import { briefingWords } from "../state/words";
import classes from "./BattleDialog.module.css";
import { Emblem } from "./Emblem";
import { WatchBattle } from "./WatchBattle";

interface Props {
  id: string;
  view: CampaignView;
  actions: CampaignActions;
  recordings: readonly Recording[];
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
}

const LOOK = { content: campaign.colors ?? "" };
const AUTO = "auto";
const SCRIPTS = [
  { value: AUTO, label: "As their tasks ask (usual)" },
  { value: "aggressor", label: "Close in and attack" },
  { value: "kiter", label: "Keep at gun range" },
  { value: "escort", label: "Stay with the ships they guard" },
  { value: "ambusher", label: "Lie in wait" },
  { value: "boarder", label: "Board the enemy" },
  { value: "evader", label: "Get away" },
];

/** The battle that waits: its briefing, who fights, and how it is brought to an end; then what came of it. */
export function BattleDialog({ id, view, actions, recordings, isOpen, onOpenChange }: Props) {
  const [fought, setFought] = useState<Battle | null>(null);
  const waiting = view.pending_battle;
  const resolve = async (make: () => Promise<CampaignChange>) => {
    const battle = waiting?.battle_id;
    const made = await actions.change(make);
    if (made !== null) {
      setFought(readView(made.state.view).battles.find((one) => one.battle_id === battle) ?? null);
    }
  };
  const close = () => {
    // The next battle opens by itself again.
    onOpenChange(fought !== null);
    setFought(null);
  };
  const recording = recordings.find((one) => one.battle_id === fought?.battle_id);
  if (fought !== null) {
    return (
      <Modal opened onClose={close} title="The battle is over" size="lg" centered classNames={LOOK}>
        <Stack>
          <Text>{capitalize(fought.summary)}.</Text>
          <Group>
            {recording !== undefined && <WatchBattle id={id} recording={recording} size="sm" />}
            <Button variant={recording === undefined ? "filled" : "default"} onClick={close}>
              Back to the map
            </Button>
          </Group>
        </Stack>
      </Modal>
    );
  }
  return (
    <Modal
      opened={waiting !== null && isOpen}
      onClose={close}
      title="A battle waits"
      size="lg"
      centered
      classNames={LOOK}
    >
      {waiting !== null && <Briefing id={id} view={view} waiting={waiting} isBusy={actions.isBusy} resolve={resolve} />}
    </Modal>
  );
}

interface BriefingProps {
  id: string;
  view: CampaignView;
  waiting: PendingBattle;
  isBusy: boolean;
  resolve: (make: () => Promise<CampaignChange>) => Promise<void>;
}

function Briefing({ id, view, waiting, isBusy, resolve }: BriefingProps) {
  const [script, setScript] = useState(AUTO);
  const { opening, sides } = briefingWords(waiting);
  const download = async () => {
    const { package: battle } = await readPackage(id);
    saveText(JSON.stringify(battle, null, 2), `${waiting.battle_id}.json`, "application/json");
  };
  const upload = async (file: File | null) => {
    const result = file === null ? null : parseObject(await file.text());
    if (result !== null) {
      await resolve(() => applyResult(id, result));
    }
  };
  return (
    <Stack gap="sm" data-testid="battle-briefing">
      {opening.map((line) => (
        <Text key={line} size="sm">
          {line}
        </Text>
      ))}
      <ul className={classes.teams}>
        {sides.map(({ name, text }) => {
          const faction = view.factions.find((one) => one.name === name);
          return (
            <li key={name}>
              <Emblem banner={bannerOf(faction?.id ?? null, view.factions)} size={18} />
              <div>
                <b>
                  {name}
                  {faction?.is_player === true ? " (you)" : ""}
                </b>
                <div>{text}</div>
              </div>
            </li>
          );
        })}
      </ul>
      <Select
        label="Your ships are to"
        data={SCRIPTS}
        value={script}
        allowDeselect={false}
        onChange={(value) => setScript(value ?? AUTO)}
      />
      <Group>
        <Button
          leftSection={<Swords size={16} aria-hidden />}
          loading={isBusy}
          onClick={() => void resolve(() => fightBattle(id, script === AUTO ? null : script))}
        >
          Fight it
        </Button>
        <Button variant="default" leftSection={<Download size={16} aria-hidden />} onClick={() => void download()}>
          Take it elsewhere
        </Button>
        <FileButton accept="application/json" onChange={(file) => void upload(file)}>
          {(props) => (
            <Button {...props} variant="default" leftSection={<Upload size={16} aria-hidden />} disabled={isBusy}>
              Hand in a result
            </Button>
          )}
        </FileButton>
      </Group>
      <Text size="xs" c="dimmed">
        The battle is fought in the arena at once and recorded, so that you can watch it afterwards. The package can be
        fought elsewhere, by a trained policy or by hand; its result is handed in here.
      </Text>
    </Stack>
  );
}

function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as JsonObject;
    }
  } catch {
    // Told below, like any other file that is no result.
  }
  tell({ color: "red", title: "Not done", message: "This file is no result of a battle." });
  return null;
}
