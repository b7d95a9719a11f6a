import { NumberInput, Text } from "@mantine/core";
import { useMemo } from "react";
import type { WorldDescriptor } from "../../api/types";
import { actionKey, optionsOf } from "../../renderers/decisions";
import type { PaletteName } from "../../renderers/pixels/shades";
import type { WorldScene } from "../../renderers/sceneQuery";
import { Hud } from "../../renderers/ui/Hud";
import { WorldView } from "../../renderers/ui/WorldView";
import { formatNumber } from "../../shared/format";
import { Panel } from "../../shared/Panel";
import type { WallLane } from "../state/messages";
import classes from "../wall.module.css";

interface Props {
  descriptor: WorldDescriptor;
  scene: WorldScene;
  copies: number;
  selected: number | null;
  lane: WallLane | null;
  palette: PaletteName;
  onSelect: (lane: number) => void;
}

/** One copy, large. */
export function LanePanel({ descriptor, scene, copies, selected, lane, palette, onSelect }: Props) {
  const heads = descriptor.action_heads;
  const shown = lane !== null && lane.copy === selected ? lane : null;
  const view = useMemo(
    () =>
      shown === null
        ? null
        : {
            state: shown.render_state,
            frame: { options: optionsOf(heads, shown.action), events: [] },
            reducedMotion: true,
          },
    [shown, heads],
  );
  const fixed = useMemo(() => ({ palette }), [palette]);
  return (
    <Panel
      title="Copy"
      action={
        <NumberInput
          aria-label="Number of the copy"
          size="xs"
          w={92}
          min={0}
          max={copies - 1}
          value={selected ?? ""}
          onChange={(value) => typeof value === "number" && value >= 0 && value < copies && onSelect(value)}
        />
      }
    >
      {selected === null ? (
        <Text size="sm" c="dimmed" px="md" pb="md">
          Click a copy on the wall to see it large.
        </Text>
      ) : (
        <div className={classes.lane}>
          <div className={classes.laneView}>
            <WorldView scene={scene} descriptor={descriptor} pilot="agent" view={view} fixed={fixed} />
          </div>
          {shown !== null && (
            <>
              <p className={`tabular ${classes.laneFacts}`}>
                <span>
                  {optionsOf(heads, shown.action)
                    .map((option) => scene.module.actionText(actionKey(heads, option), shown.render_state).title)
                    .join(" · ")}
                </span>
                <span>reward {formatNumber(shown.reward)}</span>
                <span>return {formatNumber(shown.return_total)}</span>
              </p>
              <Hud gauges={scene.module.hud(shown.render_state, scene.manifests.graphics.colors)} />
            </>
          )}
        </div>
      )}
    </Panel>
  );
}
