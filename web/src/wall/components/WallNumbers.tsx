import type { WorldDescriptor } from "../../api/types";
import { formatCompact, formatNumber, formatPercent } from "../../shared/format";
import { Panel } from "../../shared/Panel";
import { metricLabel, metricText } from "../../shared/world/metrics";
import type { WallFigures, WallOpening } from "../state/messages";
import classes from "../wall.module.css";

interface Props {
  descriptor: WorldDescriptor;
  opening: WallOpening;
  figures: WallFigures | null;
}

/** What has come of all the playing. */
export function WallNumbers({ descriptor, opening, figures }: Props) {
  const real = figures === null ? null : figures.ticks_per_second * opening.tick_seconds;
  const episodes = figures?.episodes ?? 0;
  const rows: [string, string, string][] = [
    ["Frames a second", formatCompact(figures?.ticks_per_second), "Ticks of all copies together."],
    ["Real time", real === null ? "–" : `${formatNumber(real)}×`, "How many seconds of the world pass in one."],
    ["Decisions", formatCompact(figures?.steps), "Of all copies together."],
    ["Episodes", formatCompact(figures?.episodes), "That have ended."],
    ...(figures?.successes == null
      ? []
      : [
          [
            "Successes",
            episodes === 0 ? "0" : `${figures.successes} (${formatPercent(figures.successes / episodes)})`,
            "Episodes that ended well, and their share.",
          ] as [string, string, string],
        ]),
    ["Mean return", formatNumber(figures?.return_mean), "Of the episodes that have ended."],
    ...descriptor.headline
      .filter((key) => key !== "success")
      .map((key): [string, string, string] => [
        metricLabel(descriptor, key),
        metricText(descriptor, key, figures?.headline[key]),
        "Mean at the end of an episode.",
      ]),
  ];
  return (
    <Panel title="Figures" note={`${opening.copies} copies`}>
      <dl className={`tabular ${classes.numbers}`} data-testid="wall-figures">
        {rows.map(([label, text, hint]) => (
          <div key={label} title={hint}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
