import { MultiSelect, Text } from "@mantine/core";
import { useState } from "react";
import { Panel } from "../../shared/Panel";
import classes from "../operate.module.css";
import { eventText } from "../state/eventText";
import type { LiveView } from "../state/LiveStore";
import { namesIn } from "../state/names";

const SHOWN = 60;

interface Props {
  view: LiveView;
  onTick: (tick: number) => void;
}

/** Everything that happens, as it is told to machines. */
export function EventFeed({ view, onTick }: Props) {
  const nameOf = namesIn(view);
  const [kinds, setKinds] = useState<string[]>([]);
  const known = [...new Set(view.events.map(({ event }) => event))].sort();
  const shown = view.events.filter(({ event }) => kinds.length === 0 || kinds.includes(event)).slice(-SHOWN);
  return (
    <Panel
      title="Events"
      action={
        <MultiSelect
          size="xs"
          w={240}
          aria-label="Kinds of events"
          placeholder={kinds.length === 0 ? "All kinds" : undefined}
          data={known}
          value={kinds}
          onChange={setKinds}
          clearable
          searchable
        />
      }
    >
      {shown.length === 0 ? (
        <Text size="sm" c="dimmed" px="md" pb="md">
          Nothing has happened yet.
        </Text>
      ) : (
        <ol className={classes.feed} aria-label="Events">
          {shown.toReversed().map((event, index) => (
            <li key={`${event.tick}-${index}`} data-priority={event.priority === "P0" || undefined}>
              <button type="button" className={classes.tickLink} onClick={() => onTick(event.tick)}>
                {event.tick}
              </button>{" "}
              {eventText(event, nameOf)}
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
