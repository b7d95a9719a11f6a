import { useMemo } from "react";
import { useWorld } from "../../api/queries";
import { Gauges } from "../../renderers/ui/Gauges";
import { useWorldScene } from "../../renderers/ui/useWorldScene";
import { Panel } from "../../shared/Panel";
import classes from "../operate.module.css";
import type { LiveView } from "../state/LiveStore";
import { sceneOf } from "../state/scene";

interface Props {
  view: LiveView;
  subject: string | null;
  onSubject: (subject: string) => void;
}

/** The gauges of a live world that can be drawn, of what is looked at; nothing where it has no picture. */
export function LiveGauges({ view, subject, onSubject }: Props) {
  const scene = useWorldScene(useWorld(view.world).data).data;
  const block = view.state.scene;
  const state = useMemo(() => sceneOf(block), [block]);
  if (scene === undefined || state === null) {
    return null;
  }
  return (
    <Panel title="Gauges">
      <div className={classes.gauges}>
        <Gauges scene={scene} state={state} subject={subject} onSubject={onSubject} />
      </div>
    </Panel>
  );
}
