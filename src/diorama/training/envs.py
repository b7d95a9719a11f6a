"""The environments a run trains in: how they are made, and `ReplaceableEnvs`, which the trainer steps."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.buffers import Buffers
from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import UnknownName
from diorama.contracts.plans import TelemetryPlan
from diorama.contracts.policy_outputs import PolicyOutputs
from diorama.contracts.rounds import PublishEvent, RoundsPlan, RoundTracker
from diorama.contracts.spec import WorldSpec
from diorama.contracts.tiers import CoreRequest, Tier
from diorama.contracts.values import F64, I32, JsonObject
from diorama.engine.batch import Batch
from diorama.engine.make import make_batch
from diorama.engine.seeding import as_seed
from diorama.engine.system_facts import usable_cores
from diorama.rng import mix64
from diorama.training.compatibility import config_in_cycle, first_overlay
from diorama.training.plan import TrainingPlan

if TYPE_CHECKING:
    from diorama.contracts.resident import ResidentCore
    from diorama.learn.distributed import Team


def training_batch(
    plan: TrainingPlan, config: WorldConfig | None = None, *, turn: int = 0, team: "Team | None" = None
) -> Batch:
    """Make the copies a run trains in.

    Args:
        plan: Of the run.
        config: Configuration of the copies; the first one of the run unless given.
        turn: How often the copies have been replaced before; every turn has episodes of its own.
        team: Processes that share the copies; returns those of this process, with the seeds they have among all.

    Raises:
        TierUnavailable: The tier was requested by name and cannot run here.
    """
    if team is None:
        return _make_batch(plan, config, turn=turn, parts=1, cores=usable_cores())
    cores = usable_cores() // team.local_size
    return _keep_part(_make_batch(plan, config, turn=turn, parts=team.size, cores=cores), team.rank, team.size)


def training_share(plan: TrainingPlan, index: int, parts: int, *, cores: int) -> Batch:
    """Make one of several even parts of the copies a run trains in, stepped with so many cores."""
    return _keep_part(_make_batch(plan, None, turn=0, parts=parts, cores=cores), index, parts)


def one_copy(plan: TrainingPlan) -> Batch:
    """Make a single copy, which shows the tier that runs here."""
    return training_batch(replace(plan, settings=plan.settings.model_copy(update={"copies": 1})))


def resident_copies(plan: TrainingPlan) -> "ResidentCore | None":
    """Make the copies a run trains in on the device of its policy; None where the host has to step them.

    Raises:
        TierUnavailable: They could live there, but something is missing.
    """
    settings, world = plan.settings, plan.venue.world
    execution = settings.execution
    if world.reside is None or execution.is_on_cpu or not execution.is_pipelined or not plan.learns:
        return None
    # Only copies on the host can be replaced, matched and inspected between rollouts.
    if settings.has_matches or any(part is not None for part in (world.course, world.rounds, world.telemetry)):
        return None
    if settings.anneal is not None or settings.tier == Tier.REFERENCE:
        return None
    request = CoreRequest(copies=settings.copies, seed=as_seed(settings.seed), threads=1, device=execution.device)
    return world.reside(plan.venue.config, request)


def _make_batch(plan: TrainingPlan, config: WorldConfig | None, *, turn: int, parts: int, cores: int) -> Batch:
    """Make all copies of a run, to be split into parts each of which has so many cores."""
    settings = plan.settings
    if config is None:
        config = config_in_cycle(plan.venue, settings, first_overlay(plan.venue, settings), 0)
    needs = plan.venue.world.training
    return make_batch(
        plan.venue.world,
        copies=settings.copies,
        config=config,
        seed=settings.seed if turn == 0 else mix64(settings.seed + turn),
        tier=settings.tier,
        threads=settings.execution.stepping_threads(cores, -(-settings.copies // parts)),
        device=settings.execution.device if needs is not None and needs(config).on_device else "cpu",
    )


def _keep_part(batch: Batch, index: int, parts: int) -> Batch:
    shares = batch.split(parts)
    for other in shares[:index] + shares[index + 1 :]:
        other.close()
    return shares[index]


class EventSums:
    """Sums numbers that events carry over a rollout; see `TelemetryPlan.sums` and `means`."""

    def __init__(self, plan: TelemetryPlan, spec: WorldSpec) -> None:
        """Find the events.

        Raises:
            UnknownName: The world has no such event.
        """
        self._plan = plan
        self._spec = spec
        self._keys = {*plan.sums.values(), *plan.means.values()}
        for name, _ in sorted(self._keys):
            if name not in spec.event_names:
                raise UnknownName.among("event", name, spec.event_names, code="unknown_event")
        self._bits = np.uint64(sum(1 << spec.event_names.index(name) for name in {name for name, _ in self._keys}))
        self._reset()

    def empty(self) -> "EventSums":
        """Return sums of zero for part of the copies."""
        return EventSums(self._plan, self._spec)

    def record(self, batch: Batch) -> None:
        """Add the events of the step a batch has just taken."""
        if not self._keys:
            return
        for copy in np.flatnonzero(batch.events & self._bits).tolist():
            payloads = batch.step_record(copy).event_data
            for key in self._sums:
                for number in _numbers(payloads.get(key[0]), key[1]):
                    self._sums[key] += number
                    self._counts[key] += 1

    def merge(self, other: "EventSums") -> None:
        """Add what another has summed, and reset it."""
        for key in self._sums:
            self._sums[key] += other._sums[key]
            self._counts[key] += other._counts[key]
        other._reset()

    def pop(self) -> dict[str, float]:
        """Return the fields of an update, and reset the sums."""
        fields = {field: self._sums[key] for field, key in self._plan.sums.items()}
        fields |= {field: self._sums[key] / max(1, self._counts[key]) for field, key in self._plan.means.items()}
        self._reset()
        return fields

    def _reset(self) -> None:
        self._sums = dict.fromkeys(sorted(self._keys), 0.0)
        self._counts = dict.fromkeys(self._sums, 0)


def _numbers(payload: JsonObject | None, field: str) -> Iterator[float]:
    """Yield a number of every event of a kind; a kind that can happen several times in a step lists its records."""
    if payload is None:
        return
    records = payload.get("records", (payload,))
    assert isinstance(records, Sequence)
    for record in records:
        assert isinstance(record, Mapping)
        number = record[field]
        assert isinstance(number, int | float)
        yield float(number)


class ReplaceableEnvs:
    """A batch as a trainer's environments, which can be replaced by another batch between rollouts.

    Implements `TrainingEnvs`, `HasExpert`, `HasEpisodeSeeds`, `HasRewardTerms`, `ExtraArrays`, `StartsFromStates` and
    `RestoresTogether`.
    """

    def __init__(self, batch: Batch, event_sums: EventSums | None = None) -> None:
        """Take over a batch that has not been reset; `event_sums` records every step."""
        self._batch = batch
        self._event_sums = event_sums
        self._first_buffers: Buffers | None = None
        self._parts: list[ReplaceableEnvs] = []

    @property
    def spec(self) -> WorldSpec:
        """The contract of the world."""
        return self._batch.spec

    @property
    def copies(self) -> int:
        """Number of copies."""
        return self._batch.copies

    @property
    def reward_term_names(self) -> tuple[str, ...]:
        """Names of the terms that rewards are sums of; empty for a world that does not say."""
        return self._batch.reward_term_names

    def reward_terms(self) -> F64:
        """Return the terms of the rewards of the last step, rows × terms."""
        return self._batch.reward_terms()

    @property
    def wants_policy_outputs(self) -> bool:
        """Whether the world reports log probabilities and values of the policy."""
        return self._batch.wants_policy_outputs

    def adopt(self, buffers: Buffers) -> None:
        """Write into these buffers from now on; a batch that replaces this one begins with them, too."""
        self._first_buffers = buffers
        self._batch.adopt(buffers)

    def reset(self) -> None:
        """Open an episode in every copy."""
        self._batch.reset()

    def step(self, actions: I32, into: Buffers) -> None:
        """Advance every copy by one decision per seat."""
        self._batch.step(actions, into)
        if self._event_sums is not None:
            self._event_sums.record(self._batch)

    def expert_actions(self) -> I32:
        """Return what the world's own controller would do now."""
        return self._batch.expert_actions()

    def episode_seed(self, copy: int) -> int:
        """Return the seed of the episode the copy is in."""
        return self._batch.episode_seed(copy)

    def on_policy_outputs(self, outputs: PolicyOutputs) -> None:
        """Pass on the policy's outputs for the next step."""
        self._batch.on_policy_outputs(outputs)

    def extra(self, name: str) -> NDArray[np.generic]:
        """Return an array that the world adds, as the last step left it."""
        return self._batch.extra(name)

    def snapshot(self, copy: int) -> bytes:
        """Return the copy's complete state."""
        return self._batch.snapshot(copy)

    def restore(self, copy: int, data: bytes) -> None:
        """Continue the copy from a snapshot."""
        self._batch.restore(copy, data)

    def start_from(self, copy: int, data: bytes, *, seed: int | None = None) -> None:
        """Let the episode that the copy has just opened begin in a stored state."""
        self._batch.start_from(copy, data, seed=seed)

    def restore_all(self, snapshots: Sequence[bytes]) -> None:
        """Continue every copy from its snapshot."""
        self._batch.restore_all(snapshots)

    def track_rounds(self, plan: RoundsPlan, tell: PublishEvent) -> RoundTracker:
        """Let updates close the rounds of the world; call it before the environments are split."""
        return self._batch.track_rounds(plan, tell)

    def split(self, parts: int) -> "list[ReplaceableEnvs]":
        """Hand the copies over to independent environments; this object can still replace them all."""
        sums = [None if self._event_sums is None else self._event_sums.empty() for _ in range(parts)]
        self._parts = [
            ReplaceableEnvs(batch, event_sums) for batch, event_sums in zip(self._batch.split(parts), sums, strict=True)
        ]
        return self._parts

    def replace(self, batch: Batch) -> None:
        """Continue with other copies of the same shape, each at the start of an episode.

        What a copy keeps from one episode to the next goes to its successor. Call it between rollouts, on the object
        that was split.
        """
        for part, other in zip(self._parts, batch.split(len(self._parts)), strict=True):
            assert part._first_buffers is not None, "a part has no buffers before it adopts some"
            other.adopt(part._first_buffers)
            other.reset()
            for copy in range(other.copies):
                other.carry(copy, part._batch.carried(copy))
            part._batch.close()
            part._batch = other

    def pop_event_fields(self) -> dict[str, float]:
        """Return the event sums since the last call, over all parts in order."""
        if self._event_sums is None:
            return {}
        for part in self._parts:
            assert part._event_sums is not None, "parts sum the events that the whole sums"
            self._event_sums.merge(part._event_sums)
        return self._event_sums.pop()
