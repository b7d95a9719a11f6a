"""Keeps the rounds of a training run: counts what was decided, and closes each round when its update is known."""

import time
from collections import deque
from typing import Final

from diorama.contracts.rounds import EventLevel, PublishEvent, RoundsPlan
from diorama.contracts.tiers import BatchCore
from diorama.contracts.updates import UpdateDetails
from diorama.contracts.values import JsonObject
from diorama.worlds.morphogenesis.audit.opening import open_audit
from diorama.worlds.morphogenesis.contracts.errors import ContractError, WorldStateError
from diorama.worlds.morphogenesis.contracts.events import EVENT_PAYLOADS, TelemetryEvent, TelemetryEventType
from diorama.worlds.morphogenesis.contracts.payloads.analysis import LastActionSnapshot
from diorama.worlds.morphogenesis.contracts.payloads.health import AnomalyDetectedPayload
from diorama.worlds.morphogenesis.contracts.payloads.training import CheckpointLoadedPayload, TrainingStartedPayload
from diorama.worlds.morphogenesis.engine.core import MorphogenesisCore
from diorama.worlds.morphogenesis.engine.world import MorphogenesisWorld, Stepped
from diorama.worlds.morphogenesis.learning.anomalies import UpdateWatch
from diorama.worlds.morphogenesis.learning.metrics import ppo_metrics
from diorama.worlds.morphogenesis.rounds.closing import RoundFacts, close_round
from diorama.worlds.morphogenesis.rounds.declines import ROLLING_ROUNDS
from diorama.worlds.morphogenesis.rounds.history import RoundHistory
from diorama.worlds.morphogenesis.rounds.tally import ActionTally

QUIET_KINDS: Final = frozenset(
    {
        TelemetryEventType.EPOCH_COMPLETED,
        TelemetryEventType.COUNTERFACTUAL_MATRIX_COMPUTED,
        TelemetryEventType.HOST_STABILIZED,
    }
)
"""Events of every epoch, which the minimal level leaves out; so it does those of every decision."""

ALARMING_KINDS: Final = frozenset(kind for kind, payload in EVENT_PAYLOADS.items() if payload is AnomalyDetectedPayload)
LOUD_EPOCHS: Final = 5
"""Epochs that are told in full after something looked wrong."""


class MorphogenesisRounds:
    """Implements `RoundTracker` for the copies of one run."""

    def __init__(self, core: MorphogenesisCore, plan: RoundsPlan, tell: PublishEvent) -> None:
        """Listen to the copies, and tell that training begins."""
        self._core = core
        self._plan = plan
        self._tell = tell
        self._history = RoundHistory()
        self._watch = UpdateWatch(rule=plan.collapse_rule, rounds=plan.rounds)
        self._tally = ActionTally()
        self._began = time.monotonic()
        self._loud_epochs = 0
        core.watch(self._note)
        open_audit(self._world)
        self._world.nursery.events.listen(self._hand_on)
        self._tell_start(0)

    def close(self, update: UpdateDetails) -> JsonObject:
        """Tell the end of the last round, and return its line in the history."""
        world, history = self._world, self._history
        ended = world.last_round
        if ended is None:
            raise WorldStateError("no round has ended yet; there is nothing to close")
        total = self._plan.rounds * len(ended.episodes)
        metrics = ppo_metrics(update, ended)
        now = time.monotonic()
        facts = RoundFacts(
            batch=metrics.batch,
            tally=self._tally,
            wall_s=now - self._began,
            requested_episodes=total,
            ppo=metrics,
            anomalies=self._watch.look(
                update,
                metrics,
                total_episodes=total,
                episodes=history.episodes + len(ended.episodes),
                tells_layers=self._level is EventLevel.DEBUG,
            ),
        )
        self._tally, self._began = ActionTally(), now
        close_round(world, history, facts)
        return history.lines.pop()

    def state(self) -> JsonObject:
        """Return averages and counters; the lines are in the run's own file."""
        return {
            "averages": list(self._history.averages),
            "episodes": self._history.episodes,
            "watch": self._watch.state(),
            "env_accuracies": {str(env_id): list(kept) for env_id, kept in self._history.declines.accuracies.items()},
        }

    def load(self, state: JsonObject) -> None:
        """Go on after the round this state is of."""
        averages, episodes, watch = state["averages"], state["episodes"], state["watch"]
        by_env = state.get("env_accuracies")
        if not isinstance(averages, list) or not isinstance(episodes, int):
            raise ContractError("the state of the rounds is not one that this world wrote")
        if not isinstance(watch, dict) or not isinstance(by_env, dict):
            raise ContractError("the state of the rounds is not one that this world wrote")
        self._history.averages = [float(average) for average in averages if isinstance(average, int | float)]
        self._history.episodes = episodes
        self._watch.load(watch)
        for env_id, kept in by_env.items():
            if isinstance(kept, list):
                known = (float(accuracy) for accuracy in kept if isinstance(accuracy, int | float))
                self._history.declines.accuracies[int(env_id)] = deque(known, maxlen=ROLLING_ROUNDS)
        self._tell_start(episodes)
        self._world.nursery.events.emit(
            TelemetryEventType.CHECKPOINT_LOADED, CheckpointLoadedPayload(path="checkpoints", start_episode=episodes)
        )

    @property
    def _world(self) -> MorphogenesisWorld:
        return self._core.world(0)

    def _note(self, stepped: Stepped) -> None:
        for env, info in zip(self._world.envs, stepped.info, strict=True):
            if not info.action_ignored:
                self._tally.add(env.record)
        self._loud_epochs = max(0, self._loud_epochs - 1)

    def _hand_on(self, event: TelemetryEvent) -> None:
        if self._plan.level is EventLevel.OFF:
            return
        if event.event_type in ALARMING_KINDS:
            self._loud_epochs = LOUD_EPOCHS
        is_quiet = event.event_type in QUIET_KINDS or isinstance(event.data, LastActionSnapshot)
        if self._level is not EventLevel.MINIMAL or not is_quiet:
            self._tell(event.to_dict())

    @property
    def _level(self) -> EventLevel:
        return EventLevel.DEBUG if self._loud_epochs else self._plan.level

    def _tell_start(self, episodes: int) -> None:
        nursery, plan = self._world.nursery, self._plan
        nursery.events.emit(
            TelemetryEventType.TRAINING_STARTED,
            TrainingStartedPayload(
                n_envs=nursery.layout.envs,
                max_epochs=nursery.max_epochs,
                max_batches=plan.rounds,
                task=nursery.task.name,
                host_params=nursery.host_params,
                slot_ids=nursery.slots.slot_ids,
                seed=nursery.streams.root_key,
                n_episodes=plan.rounds,
                lr=plan.learning_rate,
                clip_ratio=plan.clip_coef,
                entropy_coef=plan.entropy_coefficient,
                param_budget=nursery.contribution_reward.param_budget,
                policy_device=plan.device,
                env_devices=(nursery.device,),
                reward_mode=nursery.config.reward_mode,
                start_episode=episodes,
            ),
        )


def track_rounds(core: BatchCore, plan: RoundsPlan, tell: PublishEvent) -> MorphogenesisRounds:
    """Keep the rounds of copies that have not been reset yet.

    Raises:
        ContractError: The copies are of another world.
    """
    if not isinstance(core, MorphogenesisCore):
        raise ContractError(f"a {type(core).__name__} plays no rounds of morphogenesis")
    return MorphogenesisRounds(core, plan, tell)
