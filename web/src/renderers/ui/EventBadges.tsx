import { Badge, Group } from "@mantine/core";
import { eventTone, tellingEvents } from "../events";
import { humanize } from "./labels";

const COLORS = { bad: "red", warn: "lamp", good: "teal", plain: "gray" } as const;

/** The events of a step as badges, in the order they happened. */
export function EventBadges({ events }: { events: readonly string[] }) {
  const told = tellingEvents(events);
  if (told.length === 0) {
    return null;
  }
  return (
    <Group gap={6} data-testid="event-badges">
      {told.map((name) => (
        <Badge
          key={name}
          color={COLORS[eventTone(name)]}
          variant={eventTone(name) === "plain" ? "default" : "light"}
          tt="none"
          fw={600}
        >
          {humanize(name)}
        </Badge>
      ))}
    </Group>
  );
}
