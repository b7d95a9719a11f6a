import { Badge, Group } from "@mantine/core";
import { eventTone } from "../events";
import { humanize } from "./labels";

const COLORS = { bad: "red", warn: "lamp", good: "teal", plain: "gray" } as const;

/** The events of a step as badges, in the order they happened. */
export function EventBadges({ events }: { events: readonly string[] }) {
  if (events.length === 0) {
    return null;
  }
  return (
    <Group gap={6} data-testid="event-badges">
      {events.map((name) => (
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
