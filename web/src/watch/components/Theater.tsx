import { Alert, Button } from "@mantine/core";
import { CircleAlert } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import type { WindowRow, WorldDescriptor } from "../../api/types";
import type { RenderState } from "../../renderers/renderer";
import type { WorldScene } from "../../renderers/sceneQuery";
import { SoundToggle } from "../../renderers/sound/SoundToggle";
import { Gauges } from "../../renderers/ui/Gauges";
import { subjectIn } from "../../renderers/ui/subjectIn";
import { liftCover } from "../state/cover";
import { curvesOf } from "../state/curves";
import type { ReplayRef } from "../state/deepLink";
import { filterReplays } from "../state/filterReplays";
import { useAudibleControls } from "../state/useAudibleControls";
import { useDeepLink } from "../state/useDeepLink";
import { useFirstPicture } from "../state/useFirstPicture";
import { usePlayback } from "../state/usePlayback";
import { useReplayEvents } from "../state/useReplayEvents";
import { useReplayPane } from "../state/useReplayPane";
import { useReplaySound } from "../state/useReplaySound";
import type { Selection } from "../state/useSelection";
import { useTakeOver } from "../state/useTakeOver";
import { useWatchKeys } from "../state/useWatchKeys";
import { Advanced, type AdvancedSettings } from "./Advanced";
import { CompareScore } from "./CompareScore";
import { Controls } from "./Controls";
import { Rail } from "./Rail";
import { Readout } from "./Readout";
import { ReplayPanels } from "./ReplayPanels";
import { Stage } from "./Stage";
import classes from "./Theater.module.css";
import { TheaterBar } from "./TheaterBar";
import { Timeline } from "./Timeline";

interface Props {
  selection: Selection;
  replayRef: ReplayRef;
  descriptor: WorldDescriptor;
  scene: WorldScene;
  windows: readonly WindowRow[];
  live: React.ReactNode;
}

/** A replay with everything around it. */
export function Theater({ selection, replayRef, descriptor, scene, windows, live }: Props) {
  const [settings, setSettings] = useState<AdvancedSettings>({
    transport: "http",
    tags: [],
    windowId: null,
    curve: descriptor.headline[0] ?? "return",
  });
  const [isAdvancedOpen, setAdvancedOpen] = useState(false);
  const [subject, setSubject] = useState<string | null>(null);
  const { picture, onPicture } = useFirstPicture();
  useEffect(() => void picture.then(liftCover), [picture]);
  const pane = useReplayPane(replayRef, settings.transport, picture, scene.module.noteOf);
  const other = useReplayPane(selection.compare, settings.transport, picture);
  const frames = Math.max(pane.frameCount, selection.compare === null ? 0 : other.frameCount);
  const isThere = (index: number) =>
    [pane, ...(selection.compare === null ? [] : [other])].every(
      (one) => one.frameCount === 0 || one.store?.frame(Math.min(index, one.frameCount - 1)) !== undefined,
    );
  const replaying = usePlayback(frames, isThere);
  const { index } = replaying;
  const frame = pane.store?.frame(Math.min(index, Math.max(0, pane.frameCount - 1)));
  const sound = useReplaySound(scene, descriptor.action_heads, frame);
  const playback = useAudibleControls(replaying, sound.board);
  const { dispatch } = playback;
  const takeOver = useTakeOver();
  const state = (frame?.render_state ?? pane.detail?.meta.initial_render_state) as RenderState | undefined;
  const startTakeOver = () => {
    const seat = state === undefined ? 0 : subjectIn(scene.module.subjects?.(state), subject)?.seat;
    takeOver.mutate({ ref: replayRef, frame: Math.min(index, pane.frameCount - 1), seat: seat ?? 0 });
  };

  useDeepLink({
    ref: replayRef,
    compare: selection.compare,
    linkedTick: selection.linkedTick,
    store: pane.store,
    shown: frame === undefined ? null : { index, t: frame.t },
    dispatch,
  });
  useWatchKeys({ dispatch, stride: playback.stride, onTakeOver: startTakeOver, onSound: sound.toggle });

  const lines = useReplayEvents(scene.module, pane, index);

  const listed = useMemo(
    () => filterReplays(selection.replays, settings.tags, settings.windowId),
    [selection.replays, settings.tags, settings.windowId],
  );
  const curves = useMemo(() => curvesOf(descriptor), [descriptor]);
  const curve = curves.find(({ key }) => key === settings.curve) ?? curves[0];
  const before = (index === 0 ? pane.detail?.meta.initial_render_state : pane.store?.frame(index - 1)?.render_state) as
    | RenderState
    | undefined;
  const version = pane.store?.version() ?? 0;
  return (
    <div className={classes.page}>
      <TheaterBar
        selection={selection}
        replayRef={replayRef}
        listed={listed}
        current={pane.detail?.replay}
        world={descriptor.world}
        tick={frame?.t ?? 0}
        live={live}
        canTakeOver={pane.frameCount > 0}
        isTakingOver={takeOver.isPending}
        onTakeOver={startTakeOver}
        onAdvanced={() => setAdvancedOpen(true)}
      />
      <Failures panes={[pane, other]} />
      <div className={classes.layout}>
        <div className={classes.main}>
          <div className={classes.stages}>
            <Stage
              pane={pane}
              index={index}
              scene={scene}
              descriptor={descriptor}
              subject={subject}
              onSubject={setSubject}
              onPicture={onPicture}
              caption={
                selection.compare === null
                  ? undefined
                  : `${replayRef.run} · window ${pane.detail?.replay.window_id ?? "–"}`
              }
            />
            {selection.compare !== null && (
              <Stage
                pane={other}
                index={index}
                scene={scene}
                descriptor={other.descriptor ?? descriptor}
                subject={subject}
                onSubject={setSubject}
                caption={`${selection.compare.run} · window ${other.detail?.replay.window_id ?? "–"}`}
              />
            )}
          </div>
          {selection.compare !== null && <CompareScore left={pane} right={other} index={index} curves={curves} />}
          <div className={`case ${classes.deck}`}>
            <Timeline
              frames={frames}
              index={index}
              summary={pane.store?.summary ?? null}
              version={version}
              curve={curve}
              onSeek={(target) => dispatch({ type: "seek", index: target })}
            />
            <Controls playback={playback} frames={frames} isWaiting={!isThere(index)}>
              <SoundToggle sound={sound} />
            </Controls>
            <Readout
              frame={frame}
              before={before}
              descriptor={descriptor}
              scene={scene}
              isBroken={failureOf(pane) !== null}
            />
          </div>
        </div>
        {pane.detail !== undefined && (
          <Rail
            gauges={state && <Gauges scene={scene} state={state} subject={subject} onSubject={setSubject} />}
            panels={
              state && (
                <ReplayPanels
                  scene={scene}
                  state={state}
                  diary={pane.store?.diary}
                  moment={index + 1}
                  version={version}
                />
              )
            }
            events={scene.module.eventLines === undefined ? null : lines}
            detail={pane.detail}
            window={windows.find((row) => row.window_id === pane.detail?.replay.window_id)}
            descriptor={descriptor}
            curves={curves}
            summary={pane.store?.summary ?? null}
            version={version}
          />
        )}
      </div>
      <Advanced
        isOpen={isAdvancedOpen}
        onClose={() => setAdvancedOpen(false)}
        runId={replayRef.run}
        settings={settings}
        onSettings={setSettings}
        replays={selection.replays}
        curves={curves}
        playback={playback}
        frames={frames}
        frame={frame}
      />
    </div>
  );
}

type Pane = ReturnType<typeof useReplayPane>;

function failureOf({ error, store }: Pane): Error | null {
  return error ?? store?.failure ?? null;
}

function Failures({ panes }: { panes: readonly Pane[] }) {
  return panes.map((pane) => {
    const failure = failureOf(pane);
    return failure === null ? null : (
      <Alert
        key={failure.message}
        color="red"
        icon={<CircleAlert size={18} />}
        title="Some frames could not be loaded"
        mb="sm"
      >
        {failure.message}{" "}
        <Button size="compact-xs" variant="light" color="red" onClick={() => pane.store?.retry()}>
          Try again
        </Button>
      </Alert>
    );
  });
}
