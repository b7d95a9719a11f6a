import { Kbd } from "@mantine/core";
import classes from "../console.module.css";
import { KEY_CAPS, keysOf } from "../state/keys";

const ORDER = ["up", "down", "left", "right", "a", "b", "start", "select"];
const NAMES: Readonly<Record<string, string>> = {
  up: "Up",
  down: "Down",
  left: "Left",
  right: "Right",
  a: "A",
  b: "B",
  start: "Start",
  select: "Select",
};

/** Which key of the keyboard does what; those that are held are lit. */
export function KeyLegend({ keys, mask }: { keys: readonly string[]; mask: number }) {
  const held = new Set(keysOf(keys, mask));
  return (
    <dl className={classes.legend} data-testid="console-keys">
      {ORDER.filter((name) => keys.includes(name)).map((name) => (
        <div key={name} data-held={held.has(name)}>
          <dt>{NAMES[name] ?? name}</dt>
          <dd>
            <Kbd size="xs">{KEY_CAPS[name] ?? "–"}</Kbd>
          </dd>
        </div>
      ))}
    </dl>
  );
}
