"""Follows one env through its events."""

from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from diorama.worlds.morphogenesis.contracts.payloads.analysis import (
    CounterfactualMatrixPayload,
    EpisodeOutcomePayload,
    LastActionSnapshot,
    ShapleySnapshot,
)
from diorama.worlds.morphogenesis.contracts.payloads.base import Payload
from diorama.worlds.morphogenesis.contracts.payloads.health import GovernorRollbackPayload
from diorama.worlds.morphogenesis.contracts.payloads.lifecycle import (
    SeedFossilizedPayload,
    SeedGerminatedPayload,
    SeedPrunedPayload,
    SeedStageChangedPayload,
)
from diorama.worlds.morphogenesis.contracts.payloads.training import EpochCompletedPayload, SeedEpochSummary
from diorama.worlds.morphogenesis.views.judging import STEADY_EPOCHS, raw_status
from diorama.worlds.morphogenesis.views.pictures import EnvPicture, EpisodePicture, SlotPicture, StageStep

MOMENTUM_EPOCHS: Final = 5
EMPTY: Final = "Empty"


@dataclass(slots=True)
class EnvWatch:
    """What is known of one env; an episode begins with its first epoch."""

    env_id: int
    updated_at: datetime
    epoch: EpochCompletedPayload | None = None
    accuracies: list[float] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    episode_reward: float = 0.0
    best: float | None = None
    stale_epochs: int = 0
    status: str = "initializing"
    curves: dict[str, str] = field(default_factory=dict)
    last_decision: LastActionSnapshot | None = None
    matrix: CounterfactualMatrixPayload | None = None
    timeline: list[StageStep] = field(default_factory=list)
    rolled_back_at: datetime | None = None
    ended: EpisodePicture | None = None
    _wanted: str = "initializing"
    _wanted_epochs: int = 0
    _rolled_back_epoch: int | None = None
    _segment_steps: int = 0

    def note(self, payload: Payload, *, epoch: int | None, at: datetime) -> None:
        """Take in one event of this env."""
        self.updated_at = at
        match payload:
            case EpochCompletedPayload():
                self._note_epoch(payload)
            case LastActionSnapshot():
                self._note_decision(payload)
            case CounterfactualMatrixPayload():
                self.matrix = payload
            case SeedGerminatedPayload():
                self.curves[payload.slot_id] = payload.alpha_curve
                self._note_step(epoch, payload.slot_id, "GERMINATED", payload.blueprint_id)
            case SeedStageChangedPayload():
                self.curves[payload.slot_id] = payload.alpha_curve
                self._note_step(epoch, payload.slot_id, payload.to_stage)
            case SeedFossilizedPayload():
                self._note_step(epoch, payload.slot_id, "FOSSILIZED", f"{payload.params_added} parameters")
            case SeedPrunedPayload():
                self._note_step(epoch, payload.slot_id, "PRUNED", payload.reason)
            case GovernorRollbackPayload():
                self._note_rollback(payload, epoch=epoch, at=at)
            case EpisodeOutcomePayload():
                self.ended = self._episode(payload)
            case ShapleySnapshot() if self.ended is not None:
                self.ended = replace(self.ended, attribution=dict(payload.shapley_values))

    def picture(self, slot_ids: tuple[str, ...]) -> EnvPicture:
        """Return the env as it stands."""
        epoch, decision = self.epoch, self.last_decision
        seeds: dict[str, SeedEpochSummary] = {} if epoch is None or epoch.seeds is None else epoch.seeds
        parts = None if decision is None else decision.reward_components
        contributions = [seed.contribution for seed in seeds.values() if seed.contribution is not None]
        control = None if epoch is None else epoch.control_accuracy
        return EnvPicture(
            env_id=self.env_id,
            episode=None if epoch is None else epoch.episode_idx,
            epoch=0 if epoch is None else epoch.inner_epoch,
            accuracy=None if epoch is None else epoch.val_accuracy,
            loss=None if epoch is None else epoch.val_loss,
            control=control,
            gain=None if epoch is None or control is None else epoch.val_accuracy - control,
            synergy=sum(seed.interaction_sum for seed in seeds.values()) if contributions else None,
            growth=None if parts is None else parts.growth_ratio,
            episode_reward=self.episode_reward,
            last_reward=None if decision is None else decision.total_reward,
            rent=None if decision is None else decision.compute_rent,
            accuracy_delta=self.accuracies[-1] - self.accuracies[-2] if len(self.accuracies) > 1 else None,
            contribution=sum(contributions) if contributions else None,
            momentum=_momentum(self.accuracies),
            accuracies=tuple(self.accuracies),
            rewards=tuple(self.rewards),
            best_accuracy=self.best,
            stale_epochs=self.stale_epochs,
            status=self.status,
            slots=tuple(
                SlotPicture(slot_id=slot_id, seed=seeds.get(slot_id), curve=self.curves.get(slot_id))
                for slot_id in slot_ids
            ),
            last_decision=decision,
            matrix=self.matrix,
            timeline=tuple(self.timeline),
            updated_at=self.updated_at,
            rolled_back_at=self.rolled_back_at,
        )

    def _note_epoch(self, payload: EpochCompletedPayload) -> None:
        if self.epoch is None or payload.episode_idx != self.epoch.episode_idx:
            self._begin_episode()
        self.epoch = payload
        self.accuracies.append(payload.val_accuracy)
        if self.best is None or payload.val_accuracy > self.best:
            self.best, self.stale_epochs = payload.val_accuracy, 0
        else:
            self.stale_epochs += 1
        self._settle(
            raw_status(
                tuple(self.accuracies),
                stale_epochs=self.stale_epochs,
                has_rolled_back=self._rolled_back_epoch == payload.inner_epoch,
            )
        )

    def _note_decision(self, payload: LastActionSnapshot) -> None:
        self.last_decision = payload
        self.rewards.append(payload.total_reward)
        self.episode_reward += payload.total_reward
        self._segment_steps += 1
        if payload.slot_id is not None and payload.alpha_curve is not None and payload.action_success:
            self.curves[payload.slot_id] = payload.alpha_curve

    def _note_rollback(self, payload: GovernorRollbackPayload, *, epoch: int | None, at: datetime) -> None:
        self.rolled_back_at, self._rolled_back_epoch = at, epoch
        self.status, self._wanted, self._wanted_epochs = "rolled back", "rolled back", 0
        if self._segment_steps and payload.raw_penalty is not None:
            # The penalty takes the place of the reward before it; a segment without decisions has nowhere to put it.
            self.episode_reward += payload.raw_penalty - self.rewards[-1]
            self.rewards[-1] = payload.raw_penalty
        self._segment_steps = 0

    def _note_step(self, epoch: int | None, slot_id: str, stage: str, note: str = "") -> None:
        last = self.timeline[-1] if self.timeline else None
        if last is not None and (last.slot_id, last.stage, last.epoch) == (slot_id, stage, epoch or 0):
            # The change of stage and what it means are two events of one step.
            self.timeline[-1] = StageStep(epoch=last.epoch, slot_id=slot_id, stage=stage, note=note or last.note)
        else:
            self.timeline.append(StageStep(epoch=epoch or 0, slot_id=slot_id, stage=stage, note=note))

    def _begin_episode(self) -> None:
        for history in (self.accuracies, self.rewards, self.timeline):
            history.clear()
        self.curves.clear()
        self.episode_reward, self.best, self.stale_epochs = 0.0, None, 0
        self.last_decision = self.matrix = None
        self._rolled_back_epoch, self._segment_steps = None, 0
        self.status, self._wanted, self._wanted_epochs = "initializing", "initializing", 0

    def _settle(self, wanted: str) -> None:
        self._wanted_epochs = self._wanted_epochs + 1 if wanted == self._wanted else 1
        self._wanted = wanted
        if self.status == "initializing" or self._wanted_epochs >= STEADY_EPOCHS:
            self.status = wanted

    def _episode(self, end: EpisodeOutcomePayload) -> EpisodePicture:
        peak = max(self.accuracies, default=end.final_accuracy)
        states = {} if self.last_decision is None else self.last_decision.slot_states
        return EpisodePicture(
            env_id=self.env_id,
            episode=end.episode_idx,
            peak_epoch=self.accuracies.index(peak) + 1 if self.accuracies else 0,
            peak=peak,
            final=end.final_accuracy,
            control=end.control_accuracy,
            accuracies=tuple(self.accuracies),
            growth=end.param_ratio,
            reward=end.episode_reward,
            outcome=end.outcome_type,
            stages=dict(Counter(text.split()[0].upper() for text in states.values() if text != EMPTY)),
            attribution={},
        )


def _momentum(accuracies: list[float]) -> float | None:
    recent = accuracies[-(MOMENTUM_EPOCHS + 1) :]
    return (recent[-1] - recent[0]) / (len(recent) - 1) if len(recent) > 1 else None
