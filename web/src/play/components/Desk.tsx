import { Alert, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { CircleAlert } from "lucide-react";
import { useState } from "react";
import { runsQuery } from "../../api/queries";
import type { WorldDescriptor } from "../../api/types";
import { actionKey, indexOfKey, tellingOptions } from "../../renderers/decisions";
import type { Pixels } from "../../renderers/renderer";
import type { WorldScene } from "../../renderers/sceneQuery";
import { SoundToggle } from "../../renderers/sound/SoundToggle";
import type { Sound } from "../../renderers/sound/useSound";
import { EventLog } from "../../renderers/ui/EventLog";
import { Gauges } from "../../renderers/ui/Gauges";
import { WorldView } from "../../renderers/ui/WorldView";
import { useVariant } from "../../shared/world/useVariant";
import type { Controls } from "../state/controls";
import { deckGroups } from "../state/deck";
import type { Session } from "../state/sessionReducer";
import { useDeskKeys } from "../state/useDeskKeys";
import { useEndInView } from "../state/useEndInView";
import { useIdeas } from "../state/useIdeas";
import { useMoment } from "../state/useMoment";
import type { PlaySession } from "../state/usePlaySession";
import type { PolicyChoice } from "../state/usePolicyChoice";
import { usePolicySeat } from "../state/usePolicySeat";
import { useSessionEvents } from "../state/useSessionEvents";
import { useSessionPast } from "../state/useSessionPast";
import { useStepSound } from "../state/useStepSound";
import { useStopOnRefusal } from "../state/useStopOnRefusal";
import { ActionDeck } from "./ActionDeck";
import { AdvancedPlay } from "./AdvancedPlay";
import { EndBanner } from "./EndBanner";
import { HowTo } from "./HowTo";
import { LastStep } from "./LastStep";
import classes from "./Play.module.css";
import { PolicyButtons } from "./PolicyButtons";
import { PolicyOdds } from "./PolicyOdds";
import { PolicyPanel } from "./PolicyPanel";
import { SessionCard } from "./SessionCard";
import { Suggestions } from "./Suggestions";
import { Toolbar } from "./Toolbar";
import { VariantPicker } from "./VariantPicker";

/** Actions that fit under a large picture. */
const SHORT_DECK = 16;

interface Props {
  play: PlaySession;
  choice: PolicyChoice;
  session: Extract<Session, { status: "open" }>;
  descriptor: WorldDescriptor;
  scene: WorldScene;
  sound: Sound;
  controls: Controls;
  titleOf: (action: number) => string;
  pixels?: readonly Pixels[];
}

/** A session on screen: picture, gauges, deck. */
export function Desk({ play, choice, session, descriptor, scene, sound, controls, titleOf, pixels }: Props) {
  const { state, isBusy, log } = session;
  const { module } = scene;
  const heads = descriptor.action_heads;
  const [subject, setSubject] = useState<string | null>(null);
  const { render, before, options, view } = useMoment(session, heads, { pixels, subject });
  const [, chooseVariant] = useVariant();
  const runs = useQuery(runsQuery(descriptor.world)).data?.runs ?? [];
  const trained = runs.filter((run) => run.latest_checkpoint !== null && run.trainer_backend === "ppo");
  const { page, advice, player, ...seat } = usePolicySeat({
    descriptor,
    choice,
    play,
    session,
    controls,
  });
  const lines = useSessionEvents(module, state);
  const past = useSessionPast(module, state);

  const groups = deckGroups(descriptor, {
    mask: state.action_mask,
    reasons: state.action_reasons,
    textOf: (key) => module.actionText(key, render),
    asked: controls.asked,
    refusalOf: controls.refusalOf,
  });
  const ideas = useIdeas(module, render, heads, state.action_mask);
  useStepSound(sound, session, options);
  const picture = useEndInView(state.is_over);

  const stop = () => {
    controls.stop();
    player.stop();
  };
  useStopOnRefusal(session, stop);
  const restart = (seed?: number) => {
    stop();
    play.reset(seed);
  };
  const lead = (place: number) => {
    stop();
    setSubject(null);
    play.reset(state.seed, place);
  };
  const keys = [
    ...controls.keys,
    { key: "n", does: "New world", run: () => restart() },
    { key: "y", does: "Decide as the policy would", run: player.once },
    { key: "l", does: "Let the policy play, or take over", run: () => seat.isChosen && player.toggle() },
  ];
  useDeskKeys(descriptor, keys, controls.act);

  const line = log.at(-1);
  const told = tellingOptions(heads, line?.decision ?? null, descriptor.action_relevance).map(
    (option) => module.actionText(actionKey(heads, option), before ?? render).title,
  );
  return (
    <div className={classes.page}>
      {session.refusal !== null && (
        <Alert color="red" icon={<CircleAlert size={18} />} mb="sm">
          {session.refusal}
        </Alert>
      )}
      <div className={classes.layout}>
        <Toolbar
          undoAvailable={state.undo_available}
          onNew={() => restart()}
          onReset={() => restart(state.seed)}
          onEnd={play.end}
          onUndo={() => play.undo(1)}
          time={controls.buttons}
        >
          <VariantPicker descriptor={descriptor} onChoose={(variant) => chooseVariant(descriptor.world, variant)} />
          <SoundToggle sound={sound} />
          <AdvancedPlay
            seed={state.seed}
            timeMax={state.env_time_max}
            onStart={({ seed, timeMax }) =>
              timeMax === undefined
                ? restart(seed)
                : play.start({ world: descriptor.world, variant: descriptor.variant, seed, timeMax })
            }
          />
        </Toolbar>
        <div
          ref={picture}
          className={classes.view}
          data-over={state.is_over}
          data-roomy={descriptor.n_actions <= SHORT_DECK}
        >
          <WorldView
            scene={scene}
            descriptor={descriptor}
            pilot="human"
            view={view}
            onPick={(key) => controls.act(indexOfKey(heads, key))}
            onSubject={setSubject}
          >
            {state.is_over && (
              <EndBanner
                state={state}
                descriptor={descriptor}
                score={module.score}
                policy={choice.run}
                onAgain={() => restart(state.seed)}
                onNext={() => restart()}
                onUndo={() => play.undo(1)}
              />
            )}
          </WorldView>
        </div>
        <Suggestions isOver={state.is_over} ideas={ideas} isBusy={isBusy} onAct={controls.follow}>
          <LastStep line={line} title={line === undefined ? null : told.join(" · ")} scene={scene} />
        </Suggestions>
        <ActionDeck
          groups={groups}
          chosen={controls.chosen}
          suggested={new Map(ideas.flatMap(({ actions, why }) => actions.map((action) => [action, why] as const)))}
          probabilities={advice.probabilities}
          onAct={controls.act}
          onSelect={controls.select}
        />
        <div className={classes.side}>
          <section className={`case ${classes.gauges}`} aria-label="Gauges">
            <VisuallyHidden component="h2">Gauges</VisuallyHidden>
            <Gauges scene={scene} state={render} subject={subject} onSubject={setSubject} onLead={lead} />
          </section>
          <aside className={classes.rail} aria-label="Details">
            {module.Panels !== undefined && (
              <module.Panels
                state={render}
                past={past}
                manifests={scene.manifests}
                onPick={(key) => controls.act(indexOfKey(heads, key))}
                isOpen={(key) => state.action_mask[indexOfKey(heads, key)] === 1}
              />
            )}
            <HowTo howTo={module.howTo} />
            {module.eventLines !== undefined && <EventLog lines={lines} />}
            <PolicyPanel
              world={descriptor.world}
              runs={trained}
              choice={choice}
              page={page}
              onConfigure={(config) => play.start({ world: descriptor.world, config })}
            >
              <PolicyOdds advice={advice} titleOf={titleOf} />
              {seat.isChosen && <PolicyButtons player={player} drawing={seat.drawing} opposing={seat.opposing} />}
            </PolicyPanel>
            <SessionCard state={state} />
          </aside>
        </div>
      </div>
    </div>
  );
}
