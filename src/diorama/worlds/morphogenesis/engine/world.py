"""`MorphogenesisWorld`: all envs of a run behind two calls, `reset` and `step`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.values import F32, U8
from diorama.worlds.morphogenesis.config import MorphogenesisConfig
from diorama.worlds.morphogenesis.contracts.actions import HEAD_NAMES, NUM_OPS, head_sizes
from diorama.worlds.morphogenesis.contracts.blueprints import NULL_BLUEPRINT_INDEX
from diorama.worlds.morphogenesis.contracts.errors import ContractError, WorldStateError
from diorama.worlds.morphogenesis.contracts.events import TelemetryEventType
from diorama.worlds.morphogenesis.contracts.payloads.analysis import ShapleySnapshot
from diorama.worlds.morphogenesis.contracts.payloads.lifecycle import Initiator
from diorama.worlds.morphogenesis.contracts.reward_components import RewardComponentsTelemetry
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.controller.deciding import Actions
from diorama.worlds.morphogenesis.controller.features import observation_width
from diorama.worlds.morphogenesis.controller.masks import ActionMasks, write_masks, write_wait_only
from diorama.worlds.morphogenesis.controller.observation import write_blueprints, write_observations
from diorama.worlds.morphogenesis.controller.reports import EnvReport
from diorama.worlds.morphogenesis.controller.rules import RuleController
from diorama.worlds.morphogenesis.controller.situations import situations_of
from diorama.worlds.morphogenesis.engine.env import Env
from diorama.worlds.morphogenesis.engine.epoch import run_epoch
from diorama.worlds.morphogenesis.engine.event_stream import EventStream
from diorama.worlds.morphogenesis.engine.executor import roll_back, transact
from diorama.worlds.morphogenesis.engine.measurement import attribute_episode
from diorama.worlds.morphogenesis.engine.nursery import EngineMaker, Nursery
from diorama.worlds.morphogenesis.engine.own_gradients import own_gradients
from diorama.worlds.morphogenesis.engine.round_end import EpisodeEnd, RoundEnd
from diorama.worlds.morphogenesis.engine.tellers import NO_NOTES, DecisionNotes, outcome_of, tell_outcome
from diorama.worlds.morphogenesis.safety.governor import ROLLBACK_PENALTY

Bools = NDArray[np.bool_]
EMPTY_SLOT = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvInfo:
    """What a step says of one env beside its observation; the gain is over the control twin."""

    val_acc: float
    val_loss: float
    gain_over_control: float | None
    stages: tuple[SeedStage, ...]
    action_success: bool
    action_ignored: bool
    reward_components: RewardComponentsTelemetry | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stepped:
    """The result of a step. Arrays belong to the world and hold until the next call.

    Attributes:
        obs: Envs × features, float32.
        blueprint_indices: Envs × slots, int64; -1 for an empty slot.
        masks: Valid options of the next decision.
        rewards: Raw rewards of the actions just passed; the penalty where the env rolled back in the epoch after.
        terminated: The env panicked in the epoch that followed; its next action is ignored.
        truncated: The episode is over.
        info: One entry per env.
    """

    obs: F32
    blueprint_indices: NDArray[np.int64]
    masks: ActionMasks
    rewards: F32
    terminated: Bools
    truncated: Bools
    info: tuple[EnvInfo, ...]


class MorphogenesisWorld:
    """Growing hosts that are decided for, one decision an epoch. `last_round` is the round that ended last."""

    def __init__(self, nursery: Nursery) -> None:
        """Wrap a nursery; `build` makes one."""
        envs, slots = nursery.layout.envs, nursery.slots.num_slots
        self.nursery = nursery
        self.flat_masks: U8 = np.zeros((envs, sum(head_sizes(slots))), np.uint8)
        self.slot_by_op: U8 = np.zeros((envs, NUM_OPS, slots), np.uint8)
        self._masks = ActionMasks.over(self.flat_masks, self.slot_by_op)
        self._obs: F32 = np.zeros((envs, observation_width(slots)), np.float32)
        self._blueprints = np.full((envs, slots), EMPTY_SLOT, np.int64)
        self._ignored = np.zeros(envs, np.bool_)
        self._is_open = False
        self.last_round: RoundEnd | None = None

    @classmethod
    def build(
        cls,
        config: MorphogenesisConfig,
        make_engine: EngineMaker,
        *,
        envs: int,
        root_key: int,
        device: str = "cpu",
        events: EventStream | None = None,
    ) -> Self:
        """Build a world of so many envs on an engine."""
        with own_gradients():
            nursery = Nursery.build(config, make_engine, envs=envs, root_key=root_key, device=device, events=events)
        return cls(nursery)

    @property
    def envs(self) -> tuple[Env, ...]:
        """The envs, in row order."""
        return self.nursery.envs

    @property
    def is_open(self) -> bool:
        """Whether an episode runs that can be stepped."""
        return self._is_open

    @property
    def masks(self) -> ActionMasks:
        """Valid options of the next decision."""
        return self._masks

    @property
    def deciding(self) -> Bools:
        """Which envs take the next decision, one per env; in a panic the rollback takes its place."""
        return np.array([env.governor.report is None for env in self.envs])

    @property
    def blueprint_bytes(self) -> U8:
        """The blueprint in every slot, envs × slots; an empty one has the index after the last."""
        return np.where(self._blueprints < 0, NULL_BLUEPRINT_INDEX, self._blueprints).astype(np.uint8)

    def reports(self) -> tuple[EnvReport, ...]:
        """Return what each env shows at decision time."""
        nursery = self.nursery
        return tuple(
            env.report(round_index=nursery.round_index, epoch=nursery.epoch, max_epochs=nursery.max_epochs)
            for env in self.envs
        )

    @own_gradients()
    def reset(self, round_index: int = 0, *, prepare: "Callable[[MorphogenesisWorld], None] | None" = None) -> Stepped:
        """Open a round and run its first epoch, because a decision needs a measured one.

        Args:
            round_index: Round to open, counted from 0.
            prepare: Changes the envs before that epoch: for hosts that begin grown.
        """
        self.nursery.begin_round(round_index)
        if prepare is not None:
            prepare(self)
        self._ignored[:] = False
        self._is_open = True
        run_epoch(self.nursery)
        for env in self.envs:
            if env.governor.report is not None:
                env.counts.unattributed_rollbacks += 1
        self._show()
        return self._stepped(np.zeros(len(self.envs), np.float32), truncated=False)

    @own_gradients()
    def step(
        self,
        actions: NDArray[np.integer],
        *,
        notes: Mapping[int, DecisionNotes] | None = None,
        initiators: Sequence[Initiator] | None = None,
    ) -> Stepped:
        """Execute one decision per env and run the next epoch, or end the round at its last.

        Args:
            actions: Integers, envs × heads in `HEAD_NAMES` order.
            notes: What a policy says about its decisions, by row.
            initiators: Who decided, by row; the policy by default.

        Raises:
            ContractError: The actions have another shape or type, or an index is outside its head.
            WorldStateError: No episode is open.
        """
        self._check(actions)
        self.nursery.events.begin_step()
        rewards = np.zeros(len(self.envs), np.float32)
        for env, action in zip(self.envs, actions.tolist(), strict=True):
            self._ignored[env.row] = env.governor.report is not None
            if self._ignored[env.row]:
                roll_back(self.nursery, env)
                continue
            initiator: Initiator = "policy" if initiators is None else initiators[env.row]
            said = NO_NOTES if notes is None else notes.get(env.row, NO_NOTES)
            transact(self.nursery, env, action, self._masks, notes=said, initiator=initiator)
            rewards[env.row] = env.record.action_outcome.reward_raw
        if self.nursery.epoch >= self.nursery.max_epochs:
            self._end_round(is_cut_short=False)
            self._show()
            return self._stepped(rewards, truncated=True)
        run_epoch(self.nursery)
        self._penalize(rewards)
        self._show()
        return self._stepped(rewards, truncated=False)

    def fresh_contributions(self) -> F32:
        """Return what was measured in this epoch, envs × slots in points; NaN where nothing was, or in a panic."""
        found: F32 = np.full((len(self.envs), self.nursery.slots.num_slots), np.nan, np.float32)
        for env in (env for env in self.envs if env.governor.report is None):
            for place, slot in enumerate(env.growth.slots):
                metrics = None if slot.state is None else slot.state.metrics
                if metrics is not None and metrics.epochs_since_counterfactual == 0:
                    measured = metrics.counterfactual_contribution
                    found[env.row, place] = np.nan if measured is None else measured
        return found

    def end_early(self) -> None:
        """Close the running round before its last epoch.

        Raises:
            WorldStateError: No episode is open.
        """
        if not self._is_open:
            raise WorldStateError("no episode is open; there is nothing to end")
        self._end_round(is_cut_short=True)

    def expert_actions(self) -> Actions:
        """Return what the rules would decide now, for every env."""
        nursery = self.nursery
        rules = RuleController(nursery.task.topology, nursery.slots.slot_ids)
        return rules.decide(self._obs, self._masks, self.reports())

    def refresh(self) -> Stepped:
        """Show the world as it stands, for whoever has changed it from outside."""
        self._is_open = True
        self._show()
        return self._stepped(np.zeros(len(self.envs), np.float32), truncated=False)

    def _check(self, actions: NDArray[np.integer]) -> None:
        if not self._is_open:
            raise WorldStateError("no episode is open; call reset() first")
        wanted = (len(self.envs), len(HEAD_NAMES))
        if actions.shape != wanted or actions.dtype.kind not in "iu":
            raise ContractError(
                f"actions are {actions.dtype} of shape {actions.shape}; give integers of shape {wanted}"
            )

    def _penalize(self, rewards: F32) -> None:
        for env in self.envs:
            if env.governor.report is None:
                continue
            if env.segment_steps == 0:
                env.counts.unattributed_rollbacks += 1
                continue
            # The penalty takes the place of the reward of the decision that led here.
            replaced = env.raw_rewards[-1]
            env.raw_rewards[-1] = ROLLBACK_PENALTY
            env.record.env_total_reward += ROLLBACK_PENALTY - replaced
            rewards[env.row] = ROLLBACK_PENALTY

    def _end_round(self, *, is_cut_short: bool) -> None:
        nursery = self.nursery
        self._is_open = False
        self.last_round = RoundEnd(
            round_index=nursery.round_index,
            epochs=nursery.epoch,
            episodes=tuple(EpisodeEnd.of(env) for env in self.envs),
        )
        for env in self.envs:
            outcome = outcome_of(env, round_index=nursery.round_index, reward_mode=nursery.config.reward_mode)
            result = env.record.action_outcome
            result.truncated = True
            result.episode_reward, result.final_accuracy = outcome.episode_reward, outcome.final_accuracy
            result.episode_outcome = outcome
            env.record.env_final_acc = outcome.final_accuracy
            payload = tell_outcome(env, outcome, epochs=nursery.epoch, is_cut_short=is_cut_short)
            nursery.events.emit(TelemetryEventType.EPISODE_OUTCOME, payload, row=env.row, epoch=nursery.epoch)
            self._tell_attribution(env)

    def _tell_attribution(self, env: Env) -> None:
        nursery = self.nursery
        if env.table is None or not env.table.slot_ids:
            return
        payload = ShapleySnapshot(
            env_id=env.env_id,
            episode_idx=nursery.round_index,
            shapley_values=attribute_episode(nursery, env, env.table),
            num_slots=len(env.table.slot_ids),
        )
        nursery.events.emit(TelemetryEventType.ANALYTICS_SNAPSHOT, payload, row=env.row, epoch=nursery.epoch)

    def _show(self) -> None:
        reports, slot_ids = self.reports(), self.nursery.slots.slot_ids
        for env in self.envs:
            if env.governor.report is not None:
                write_wait_only(self._masks, env.row, self.nursery.mask_rules)
            else:
                write_masks(self._masks, env.row, self.nursery.mask_rules, situations_of(env.growth))
        write_observations(self._obs, reports, slot_ids)
        write_blueprints(self._blueprints, reports, slot_ids, empty=EMPTY_SLOT)

    def _stepped(self, rewards: F32, *, truncated: bool) -> Stepped:
        panicked = ~self.deciding
        return Stepped(
            obs=self._obs,
            blueprint_indices=self._blueprints,
            masks=self._masks,
            rewards=rewards,
            terminated=np.zeros_like(panicked) if truncated else panicked,
            truncated=np.full(len(self.envs), truncated),
            info=tuple(self._info(env) for env in self.envs),
        )

    def _info(self, env: Env) -> EnvInfo:
        outcome = env.record.action_outcome
        return EnvInfo(
            val_acc=env.reading.val_acc,
            val_loss=env.reading.val_loss,
            gain_over_control=env.reading.gain,
            stages=env.growth.stages(),
            action_success=outcome.action_success,
            action_ignored=bool(self._ignored[env.row]),
            reward_components=outcome.reward_components,
        )
