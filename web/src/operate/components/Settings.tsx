import { Slider, Switch, Text } from "@mantine/core";
import { formatWholePercent } from "../../shared/format";
import { Panel } from "../../shared/Panel";
import classes from "../operate.module.css";

const MEANINGS = [
  ["var(--dio-good)", "as it should be"],
  ["var(--dio-warn)", "amber: keep an eye on it"],
  ["var(--dio-bad)", "red, or a priority: act"],
] as const;

interface Props {
  hasCues: boolean;
  onCues: (hasCues: boolean) => void;
  volume: number;
  onVolume: (volume: number) => void;
}

/** What the colors mean, and what this page may do on its own. */
export function Settings({ hasCues, onCues, volume, onVolume }: Props) {
  return (
    <Panel title="Legend and settings">
      <ul className={classes.legend}>
        {MEANINGS.map(([color, meaning]) => (
          <li key={meaning}>
            <span style={{ background: color }} aria-hidden /> {meaning}
          </li>
        ))}
      </ul>
      <div className={classes.list}>
        <Switch
          label="A sound when an alert is raised"
          checked={hasCues}
          onChange={(event) => onCues(event.currentTarget.checked)}
        />
        <Text size="xs">Volume</Text>
        <Slider
          size="sm"
          thumbLabel="Volume"
          disabled={!hasCues}
          min={0.05}
          max={1}
          step={0.05}
          label={formatWholePercent}
          value={volume}
          onChange={onVolume}
        />
        <Text size="xs" c="dimmed">
          The picture keeps still where your system asks for reduced motion.
        </Text>
      </div>
    </Panel>
  );
}
