import { Badge, Group } from "@mantine/core";
import { eventTone, tellingEvents } from "../events";
import { pictureUrl } from "../manifests";
import type { WorldScene } from "../sceneQuery";
import { humanize } from "./labels";

const COLORS = { bad: "red", warn: "lamp", good: "teal", plain: "gray" } as const;

interface Props {
  events: readonly string[];
  scene: WorldScene | undefined;
}

/** The events of a step as badges, in the order they happened, with their pictures where the world has some. */
export function EventBadges({ events, scene }: Props) {
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
          leftSection={<EventPicture name={name} scene={scene} />}
        >
          {humanize(name)}
        </Badge>
      ))}
    </Group>
  );
}

function EventPicture({ name, scene }: { name: string; scene: WorldScene | undefined }) {
  const key = scene?.module.eventPictures?.[name];
  const url = scene === undefined || key === undefined ? null : pictureUrl(scene.manifests, key);
  return url === null ? null : <img src={url} alt="" width={13} height={13} style={{ display: "block" }} />;
}
