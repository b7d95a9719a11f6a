import { Text } from "@mantine/core";
import { useWorld } from "../../api/queries";
import { Sparkline } from "../../shared/charts/Sparkline";
import { Panel } from "../../shared/Panel";
import { metricOf, metricText } from "../../shared/world/metrics";
import classes from "../operate.module.css";
import { isObject, type JsonObject, listAt, numberAt, objectAt, textAt } from "../state/json";
import { type Band, bandOf } from "../state/kpiBands";
import type { LiveView } from "../state/LiveStore";

const COLORS: Readonly<Record<Band, string>> = {
  good: "var(--dio-good)",
  amber: "var(--dio-warn)",
  red: "var(--dio-bad)",
};

/** The numbers a world is judged by, with their bands and how they went in the last windows. */
export function KpiPanel({ view }: { view: LiveView }) {
  const current = objectAt(view.state.kpis, "current");
  const targets = objectAt(view.state.kpis, "targets");
  const rows = listAt(view.state.kpis, "rows").filter(isObject);
  const world = useWorld(view.world).data;
  // What has a target and no value is not known yet: nobody has been to work on the first morning.
  const names = [...new Set([...Object.keys(targets), ...Object.keys(current)])];
  return (
    <Panel title="KPIs" note="this window, and the last ones">
      {names.length === 0 ? (
        <Text size="sm" c="dimmed" px="md" pb="md">
          This world reports no KPIs.
        </Text>
      ) : (
        <div className={classes.tiles}>
          {names.map((name) => {
            const value = numberAt(current, name);
            const band = bandOf(value, objectAt(targets, name));
            const title = metricOf(world, name)?.label ?? textAt(targets, name, "title") ?? name.replaceAll("_", " ");
            const show = (shown: number | null) => metricText(world, name, shown);
            return (
              <div key={name} className={classes.tile} data-band={band ?? undefined}>
                <span className="overline">{title}</span>
                <strong className="tabular">{show(value)}</strong>
                <Sparkline
                  label={`${title} over the last windows`}
                  values={rows.map((row) => numberAt(row, name))}
                  color={band === null ? undefined : COLORS[band]}
                />
                <span className={classes.fine}>{standing(value, band, goalText(objectAt(targets, name), show))}</span>
              </div>
            );
          })}
        </div>
      )}
    </Panel>
  );
}

/** Returns what is aimed at, such as “at least 70%”; nothing where nothing is. */
function goalText(target: JsonObject, show: (value: number) => string): string | null {
  const aim = numberAt(target, "target");
  if (aim === null) {
    return null;
  }
  return `${textAt(target, "better") === "lower" ? "at most" : "at least"} ${show(aim)}`;
}

/** Returns how a number stands to what is aimed at; colors alone would not tell everybody. */
function standing(value: number | null, band: Band | null, goal: string | null): string {
  if (goal === null) {
    return value === null ? "none yet" : "";
  }
  if (value === null) {
    return `none yet · target ${goal}`;
  }
  return `${band === "red" ? "far off " : band === "amber" ? "off " : ""}target ${goal}`;
}
