import { Badge, Group } from "@mantine/core";
import { Flag, Star, Tag } from "lucide-react";
import { type ShownTag, shownTags } from "./replayTags";

const LOOKS = {
  best: { color: "lamp", icon: Star },
  milestone: { color: "iris", icon: Flag },
  operator: { color: "teal", icon: Tag },
  other: { color: "gray", icon: Tag },
} as const satisfies Record<ShownTag["kind"], unknown>;

/** What makes a replay worth watching. */
export function ReplayTags({ tags }: { tags: readonly string[] }) {
  return (
    <Group gap={4}>
      {shownTags(tags).map(({ tag, kind, label }) => {
        const { color, icon: Icon } = LOOKS[kind];
        return (
          <Badge
            key={tag}
            color={color}
            variant="light"
            size="sm"
            tt="none"
            leftSection={<Icon size={10} aria-hidden />}
          >
            {label}
          </Badge>
        );
      })}
    </Group>
  );
}
