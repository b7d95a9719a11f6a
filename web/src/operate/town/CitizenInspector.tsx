import { Progress, Text } from "@mantine/core";
import { OPTIONS, REWARD_TERMS } from "../../renderers/townlet/words";
import { capitalize } from "../../shared/capitalize";
import { formatNumber, formatPercent } from "../../shared/format";
import { Panel } from "../../shared/Panel";
import classes from "../operate.module.css";
import { eventText } from "../state/eventText";
import { isObject, type Json, listAt, numberAt, objectAt, textAt } from "../state/json";
import type { LiveView } from "../state/LiveStore";
import { namesIn } from "../state/names";
import { ObservationPreview } from "./ObservationPreview";

const EVENTS_SHOWN = 20;
const NOT_PARTS = new Set(["total", "social", "guardrail_active", "clipped"]);

interface Props {
  view: LiveView;
  subject: string | null;
  /** Side of the map that policies see, in tiles; 0 where they see none. */
  windowTiles: number;
}

/** One citizen in depth: what the last tick was worth, what the policy thought, what happened to it. */
export function CitizenInspector({ view, subject, windowTiles }: Props) {
  const agent = subject === null ? undefined : objectAt(view.state.agents)[subject];
  if (subject === null || !isObject(agent)) {
    return (
      <Panel title="Inspector">
        <Text size="sm" c="dimmed" px="md" pb="md">
          Choose somebody in the picture or among the citizens.
        </Text>
      </Panel>
    );
  }
  const nameOf = namesIn(view);
  const reward = objectAt(view.state.rewards, subject);
  const parts = Object.keys(reward)
    .filter((name) => !NOT_PARTS.has(name))
    .map((name) => ({ name, value: numberAt(reward, name) ?? 0 }))
    .filter(({ value }) => value !== 0);
  const largest = Math.max(1e-9, ...parts.map(({ value }) => Math.abs(value)));
  const thought = objectAt(view.state.policy, "inspector", subject);
  const events = view.events.filter((event) => Object.values(event).some((value) => mentions(value, subject)));
  return (
    <Panel title={textAt(agent, "name") ?? subject} note={subject}>
      <div className={classes.inspector}>
        <div>
          <span className="overline">Reward {formatNumber(numberAt(reward, "total"))}</span>
          {parts.map(({ name, value }) => (
            <div key={name} className={classes.part}>
              <span title={name}>{REWARD_TERMS[name] ?? optionWords(name)}</span>
              <Progress
                aria-label={`${name} ${formatNumber(value)}`}
                value={(Math.abs(value) / largest) * 100}
                color={value < 0 ? "red" : "teal"}
              />
              <span className="tabular">{formatNumber(value)}</span>
            </div>
          ))}
        </div>
        <div>
          <span className="overline">
            Decision{decisionText(textAt(thought, "source"), textAt(thought, "selected"))}
            {numberAt(thought, "value") === null ? "" : ` · value ${formatNumber(numberAt(thought, "value"))}`}
          </span>
          {listAt(thought, "top")
            .filter(isObject)
            .map((choice) => (
              <div key={textAt(choice, "action")} className={classes.part}>
                <span title={textAt(choice, "action") ?? undefined}>
                  {optionWords(textAt(choice, "action") ?? "–")}
                </span>
                <Progress
                  aria-label={`${textAt(choice, "action")} ${formatPercent(numberAt(choice, "chance"))}`}
                  value={(numberAt(choice, "chance") ?? 0) * 100}
                />
                <span className="tabular">{formatPercent(numberAt(choice, "chance"))}</span>
              </div>
            ))}
        </div>
        <ObservationPreview view={view} agent={agent} windowTiles={windowTiles} />
      </div>
      <ol className={classes.feed} aria-label={`What happened to ${textAt(agent, "name") ?? subject}`}>
        {events
          .slice(-EVENTS_SHOWN)
          .toReversed()
          .map((event, index) => (
            <li key={`${event.tick}-${index}`}>
              <span className="tabular">{event.tick}</span> {eventText(event, nameOf)}
            </li>
          ))}
      </ol>
    </Panel>
  );
}

/** Returns what was decided and by whom: “: go to bed (scripted)”. */
function decisionText(source: string | null, selected: string | null): string {
  const by = source === null ? "" : ` (${source.replaceAll("_", " ")})`;
  return selected === null ? by : `: ${optionWords(selected)}${by}`;
}

function optionWords(key: string): string {
  return OPTIONS[key]?.title ?? capitalize(key.replaceAll("_", " "));
}

function mentions(value: Json, id: string): boolean {
  return value === id || (Array.isArray(value) && value.includes(id));
}
