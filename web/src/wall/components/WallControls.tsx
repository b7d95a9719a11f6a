import { Button, Group, SegmentedControl, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Pause, Play } from "lucide-react";
import { championsQuery, runsQuery } from "../../api/queries";
import type { WorldDescriptor } from "../../api/types";
import type { ProgramRow } from "../../console/state/calls";
import { PaletteSwitch } from "../../renderers/pixels/PaletteSwitch";
import type { PaletteName } from "../../renderers/pixels/shades";
import { runName } from "../../shared/run/runName";
import { RATES, SIZES, type WallQuestion } from "../state/question";
import classes from "../wall.module.css";

interface Props {
  descriptor: WorldDescriptor;
  games: readonly ProgramRow[];
  question: WallQuestion;
  palette: PaletteName;
  isPaused: boolean;
  onAsk: (question: WallQuestion) => void;
  onPause: () => void;
  onPalette: (palette: PaletteName) => void;
}

const RANDOM = "random";
const DEFAULT = "";

/** What hangs on the wall, who plays, and how fast. */
export function WallControls({ descriptor, games, question, palette, isPaused, ...on }: Props) {
  const { world } = descriptor;
  const runs = useQuery(runsQuery(world)).data?.runs ?? [];
  const trained = runs.filter((run) => run.latest_checkpoint !== null && run.trainer_backend === "ppo");
  const champions = (useQuery(championsQuery).data?.champions ?? []).filter((row) => row.world === world);
  const policies = [...champions, ...trained].map(({ run_id }) => run_id);
  const isRun = policies.includes(question.player);
  const bots = descriptor.baselines.filter((bot) => bot !== RANDOM);
  const players = [
    { group: "Scripts", items: [{ value: RANDOM, label: "Random keys" }, ...bots] },
    { group: "Policies", items: policies.map((id) => ({ value: id, label: runName(id) })) },
  ].filter(({ items }) => items.length > 0);
  return (
    <div className={classes.controls}>
      <Button
        variant={isPaused ? "filled" : "light"}
        size="sm"
        w={104}
        leftSection={isPaused ? <Play size={15} aria-hidden /> : <Pause size={15} aria-hidden />}
        onClick={on.onPause}
      >
        {isPaused ? "Run" : "Pause"}
      </Button>
      {games.length > 0 && (
        <Select
          aria-label="Game"
          size="sm"
          w={150}
          data={[
            { value: DEFAULT, label: isRun ? "The run's own" : "Default task" },
            ...games.map(({ id, title }) => ({ value: id, label: title })),
          ]}
          value={question.rom ?? DEFAULT}
          onChange={(rom) => on.onAsk({ ...question, rom: rom === DEFAULT ? null : rom })}
          allowDeselect={false}
          disabled={isRun}
        />
      )}
      <Select
        aria-label="Player"
        size="sm"
        w={190}
        data={players}
        value={question.player}
        onChange={(player) => {
          const isTrained = player !== null && policies.includes(player);
          on.onAsk({ ...question, player: player ?? RANDOM, rom: isTrained ? null : question.rom });
        }}
        allowDeselect={false}
        searchable
      />
      <Group gap={6}>
        <SegmentedControl
          size="xs"
          aria-label="Copies"
          value={String(question.copies)}
          onChange={(copies) => on.onAsk({ ...question, copies: Number(copies) })}
          data={SIZES.map((size) => ({ value: String(size), label: `${Math.sqrt(size)}²` }))}
        />
        <SegmentedControl
          size="xs"
          aria-label="Decisions a second"
          value={String(question.rate)}
          onChange={(rate) => on.onAsk({ ...question, rate: Number(rate) })}
          data={RATES.map((rate) => ({ value: String(rate), label: `${rate}/s` }))}
        />
        <PaletteSwitch palette={palette} onPalette={on.onPalette} />
      </Group>
    </div>
  );
}
