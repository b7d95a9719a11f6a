import { Badge, Group } from "@mantine/core";
import type { WorldScene } from "../../renderers/sceneQuery";
import { EventBadges } from "../../renderers/ui/EventBadges";
import { formatNumber } from "../../shared/format";
import type { LoggedStep } from "../state/sessionReducer";
import classes from "./Play.module.css";

/** The last decision and what came of it. */
export function LastStep({
  line,
  title,
  scene,
}: {
  line: LoggedStep | undefined;
  title: string | null;
  scene: WorldScene;
}) {
  if (line === undefined) {
    return null;
  }
  const isInvalid = line.events.includes("invalid_action");
  return (
    <Group
      className={classes.lastStep}
      gap={8}
      justify="center"
      role="status"
      aria-live="polite"
      data-testid="last-step"
    >
      <Badge variant="filled" color={isInvalid ? "red" : "iris"} tt="none">
        {title ?? "No action"}
      </Badge>
      <Badge variant="default" tt="none">
        reward {formatNumber(line.reward)}
      </Badge>
      <EventBadges events={line.events} scene={scene} />
    </Group>
  );
}
