import { Alert } from "@mantine/core";
import { useHotkeys, useReducedMotion } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import { CircleAlert } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { runsQuery } from "../../api/queries";
import type { WorldDescriptor } from "../../api/types";
import type { RenderState } from "../../renderers/renderer";
import { SoundToggle } from "../../renderers/sound/SoundToggle";
import { useSound } from "../../renderers/sound/useSound";
import { Hud } from "../../renderers/ui/Hud";
import type { WorldScene } from "../../renderers/ui/useWorldScene";
import { WorldView } from "../../renderers/ui/WorldView";
import { useShortcutSection } from "../../shared/shortcuts/registry";
import { deckGroups } from "../state/deck";
import { hotkeyItems, shortcutSection } from "../state/hotkeys";
import { isRealTime, useRealTime } from "../state/realTime";
import type { Session } from "../state/sessionReducer";
import { useAutoRun } from "../state/useAutoRun";
import { useHint } from "../state/useHint";
import type { PlaySession } from "../state/usePlaySession";
import { ActionDeck } from "./ActionDeck";
import { AdvancedPlay } from "./AdvancedPlay";
import { EndBanner } from "./EndBanner";
import { HintPanel } from "./HintPanel";
import { HowTo } from "./HowTo";
import { LastStep } from "./LastStep";
import classes from "./Play.module.css";
import { SessionCard } from "./SessionCard";
import { Suggestions } from "./Suggestions";
import { Toolbar } from "./Toolbar";

interface Props {
  play: PlaySession;
  session: Extract<Session, { status: "open" }>;
  descriptor: WorldDescriptor;
  scene: WorldScene;
}

const PAGE_KEYS = [
  { key: "space", does: "Repeat the selected action" },
  { key: "u", does: "Take back the last decision" },
  { key: "a", does: "Auto-run on or off" },
  { key: "n", does: "New world" },
];

/** A session on screen: picture, gauges, deck. */
export function Cockpit({ play, session, descriptor, scene }: Props) {
  const { state, previous, isBusy, log } = session;
  const { step: stepOverHttp, receive } = play;
  const { module, manifests } = scene;
  const render = state.render_state as RenderState;
  const noop = descriptor.action_heads[0]?.noop ?? 0;
  const reducedMotion = useReducedMotion();
  const sound = useSound(scene, "play");
  const [selected, setSelected] = useState<number | null>(null);
  const [policy, setPolicy] = useState<string | null>(null);
  const trained =
    useQuery(runsQuery(descriptor.world)).data?.runs.filter(
      (run) => run.latest_checkpoint !== null && run.trainer_backend === "ppo",
    ) ?? [];
  const hint = useHint(state, policy);
  const isLive = isRealTime(descriptor);
  const sendLive = useRealTime(isLive ? state.session_id : null, {
    onState: receive,
    onPicture: () => undefined,
    onError: (detail) => notifications.show({ message: detail, color: "red" }),
  });

  const isOpenAction = useCallback((action: number) => state.action_mask[action] === 1, [state]);
  const step = useCallback(
    (action: number) => (isLive ? sendLive(action) : stepOverHttp(action)),
    [isLive, sendLive, stepOverHttp],
  );
  const act = useCallback(
    (action: number) => {
      if (state.is_over || isBusy) {
        return;
      }
      if (!isOpenAction(action)) {
        const reason = state.action_reasons?.[action] || "it is not possible now";
        notifications.show({ message: `Not now: ${reason}.`, color: "orange", autoClose: 2500 });
        sound.board?.play("ui.error");
        return;
      }
      setSelected(action);
      step(action);
    },
    [state, isBusy, isOpenAction, step, sound.board],
  );
  const auto = useAutoRun(state, selected, isBusy, step);

  const textOf = useCallback((label: string) => module.actionText(label, render), [module, render]);
  const titleOf = (action: number) => textOf(descriptor.action_labels[action] ?? "").title;
  const groups = deckGroups(descriptor, { mask: state.action_mask, reasons: state.action_reasons, textOf });
  const ideas = useMemo(() => {
    const indexOf = (label: string) => descriptor.action_labels.indexOf(label);
    return module
      .suggest(render, (label) => isOpenAction(indexOf(label)))
      .map(({ label, why }) => ({ action: indexOf(label), title: textOf(label).title, why }));
  }, [module, render, descriptor, isOpenAction, textOf]);

  const view = useMemo(
    () => ({
      state: render,
      frame: {
        action: typeof state.action === "number" ? state.action : null,
        events: state.events,
        event_data: state.event_data,
      },
      previous: previous === null ? undefined : (previous.render_state as RenderState),
      reducedMotion,
    }),
    [render, state, previous, reducedMotion],
  );

  const heard = useRef(state);
  useEffect(() => {
    if (state !== heard.current) {
      heard.current = state;
      if (previous !== null) {
        sound.board?.playStep(typeof state.action === "number" ? state.action : null, state.events);
      }
    }
  }, [state, previous, sound.board]);

  const picture = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (state.is_over) {
      picture.current?.scrollIntoView({ block: "center", behavior: reducedMotion ? "auto" : "smooth" });
    }
  }, [state.is_over, reducedMotion]);

  const restart = (seed?: number) => {
    auto.stop();
    play.reset(seed);
  };
  const repeat = () => selected !== null && act(selected);
  const runs = [repeat, () => play.undo(1), auto.toggle, () => restart()];
  useHotkeys(
    hotkeyItems(
      descriptor,
      PAGE_KEYS.map((key, place) => ({ ...key, run: runs[place] ?? (() => undefined) })),
      act,
    ),
  );
  useShortcutSection(useMemo(() => shortcutSection(descriptor, PAGE_KEYS), [descriptor]));

  const line = log.at(-1);
  const before = previous === null ? render : (previous.render_state as RenderState);
  const lastLabel = line?.action === null || line === undefined ? undefined : descriptor.action_labels[line.action];
  return (
    <div className={classes.page}>
      {session.refusal !== null && (
        <Alert color="red" icon={<CircleAlert size={18} />} mb="sm">
          {session.refusal}
        </Alert>
      )}
      <div className={classes.layout}>
        <div className={classes.main}>
          <Toolbar
            canAct={!state.is_over}
            undoAvailable={state.undo_available}
            selectedTitle={selected === null ? null : titleOf(selected)}
            isRunning={auto.isRunning}
            stepsPerSecond={auto.stepsPerSecond}
            onNew={() => restart()}
            onReset={() => restart(state.seed)}
            onEnd={play.end}
            onUndo={() => play.undo(1)}
            onStep={repeat}
            onHold={() => act(noop)}
            onRun={auto.toggle}
            onSpeed={auto.setSpeed}
          >
            <SoundToggle sound={sound} />
            <AdvancedPlay
              seed={state.seed}
              timeMax={state.env_time_max}
              onStart={(game) => play.start({ world: descriptor.world, ...game })}
            />
          </Toolbar>
          <div ref={picture} className={classes.view}>
            <WorldView
              scene={scene}
              descriptor={descriptor}
              pilot="human"
              view={view}
              onPick={(label) => act(descriptor.action_labels.indexOf(label))}
            >
              {state.is_over && (
                <EndBanner
                  state={state}
                  descriptor={descriptor}
                  policy={policy}
                  onAgain={() => restart(state.seed)}
                  onNext={() => restart()}
                  onUndo={() => play.undo(1)}
                />
              )}
            </WorldView>
          </div>
          <Suggestions isOver={state.is_over} ideas={ideas} isBusy={isBusy} onAct={act}>
            <LastStep line={line} title={lastLabel === undefined ? null : module.actionText(lastLabel, before).title} />
          </Suggestions>
          <HowTo howTo={module.howTo} />
          <ActionDeck
            groups={groups}
            selected={selected}
            suggested={new Map(ideas.map((idea) => [idea.action, idea.why]))}
            probabilities={hint.probabilities}
            onAct={act}
            onSelect={setSelected}
          />
        </div>
        <aside className={classes.rail} aria-label="Details">
          <section className={`case ${classes.panel}`} aria-label="Ship">
            <Hud gauges={module.hud(render, manifests.graphics.colors)} />
          </section>
          <HintPanel runs={trained} policy={policy} onPolicy={setPolicy} hint={hint} titleOf={titleOf} />
          <SessionCard state={state} />
        </aside>
      </div>
    </div>
  );
}
