"""What a session drives: the trainer, or random play behind the same few calls."""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import DocumentError
from diorama.contracts.tiers import CoreRequest, Tier
from diorama.contracts.training_reports import StepView
from diorama.contracts.values import JsonObject
from diorama.engine.batch import Batch
from diorama.engine.make import make_batch
from diorama.engine.seeding import as_seed
from diorama.engine.system_facts import usable_cores
from diorama.learn.callbacks import Callback
from diorama.operate.training.course_plan import config_in_cycle, first_overlay
from diorama.operate.training.plan import TrainingPlan
from diorama.operate.training.random_play import choose_uniformly, draw_block, random_stream
from diorama.rng import mix64
from diorama.runs.checkpoints.resume import StoredTraining, TrainingState

if TYPE_CHECKING:
    from torch import Tensor

    from diorama.contracts.resident import ResidentCore
    from diorama.learn.distributed import Team


class Learner(Protocol):
    """Takes env steps and reports them to its listener."""

    @property
    def env_steps_total(self) -> int:
        """Env steps of the run so far."""

    def advance(self) -> None:
        """Go on to the next moment at which a checkpoint may be taken."""

    def state(self) -> TrainingState:
        """Return everything needed to continue."""

    def load(self, stored: StoredTraining) -> None:
        """Continue from a state."""

    def close(self) -> None:
        """End threads and free the copies."""


def training_batch(
    plan: TrainingPlan, config: WorldConfig | None = None, *, turn: int = 0, team: "Team | None" = None
) -> Batch:
    """Make the copies a run learns from.

    Args:
        plan: Of the run.
        config: What they are copies of; what the run begins in unless given.
        turn: How often the copies have been exchanged before; every turn has episodes of its own.
        team: Processes that share the copies; this one's are returned, with the seeds they have among all.

    Raises:
        TierUnavailable: The tier was asked for by name and cannot run here.
    """
    if team is None:
        return _batch(plan, config, turn=turn, parts=1, cores=usable_cores())
    cores = usable_cores() // team.local_size
    return share_of_copies(_batch(plan, config, turn=turn, parts=team.size, cores=cores), team.rank, team.size)


def resident_copies(plan: TrainingPlan) -> "ResidentCore | None":
    """Make the copies a run learns from on the device of its policy; None where they are to be stepped on the host.

    Raises:
        TierUnavailable: They could live there, but something is missing.
    """
    settings, world = plan.settings, plan.venue.world
    execution = settings.execution
    if world.reside is None or execution.is_on_cpu or not execution.is_pipelined or not plan.learns:
        return None
    # Only copies on the host are exchanged, matched, counted and told about between rollouts.
    if settings.has_matches or any(part is not None for part in (world.course, world.rounds, world.telemetry)):
        return None
    if settings.anneal is not None or settings.tier == Tier.REFERENCE:
        return None
    request = CoreRequest(copies=settings.copies, seed=as_seed(settings.seed), threads=1, device=execution.device)
    return world.reside(plan.venue.config, request)


def training_share(plan: TrainingPlan, place: int, parts: int, *, cores: int) -> Batch:
    """Make one of several even parts of the copies a run learns from; it has so many cores."""
    return share_of_copies(_batch(plan, None, turn=0, parts=parts, cores=cores), place, parts)


def _batch(plan: TrainingPlan, config: WorldConfig | None, *, turn: int, parts: int, cores: int) -> Batch:
    """Make all copies of a run, to be cut into parts each of which has so many cores."""
    settings = plan.settings
    if config is None:
        config = config_in_cycle(plan.venue, settings, first_overlay(plan.venue, settings), 0)
    return make_batch(
        plan.venue.world,
        copies=settings.copies,
        config=config,
        seed=settings.seed if turn == 0 else mix64(settings.seed + turn),
        tier=settings.tier,
        threads=settings.execution.stepping_threads(cores, -(-settings.copies // parts)),
        device=_device(plan, config),
    )


def one_copy(plan: TrainingPlan) -> Batch:
    """Make a single copy of what a run learns from: it tells which tier runs here."""
    return training_batch(replace(plan, settings=plan.settings.model_copy(update={"copies": 1})))


def share_of_copies(batch: Batch, place: int, parts: int) -> Batch:
    """Return one of several even parts of a batch that has not been reset, and let go of the others."""
    shares = batch.split(parts)
    for other in shares[:place] + shares[place + 1 :]:
        other.close()
    return shares[place]


def _device(plan: TrainingPlan, config: WorldConfig) -> str:
    training = plan.venue.world.training
    return plan.settings.execution.device if training is not None and training(config).on_device else "cpu"


@dataclass(frozen=True, slots=True, kw_only=True)
class _RandomState:
    values: JsonObject
    snapshots: list[bytes]
    tensors: "dict[str, Tensor]" = field(default_factory=dict)


class RandomLearner:
    """Plays uniformly among valid options and learns nothing."""

    def __init__(self, batch: Batch, seed: int, listener: Callback) -> None:
        """Open an episode in every copy."""
        self._batch = batch
        self._listener = listener
        self._stream = random_stream(seed)
        self.env_steps_total = 0
        batch.reset()

    def advance(self) -> None:
        """Take one vector step."""
        batch = self._batch
        alive_before, seen = batch.alive.copy(), batch.obs.copy()
        draws = draw_block(self._stream, batch.rows, len(batch.spec.heads))
        batch.step(choose_uniformly(batch.spec, batch.masks, draws))
        self.env_steps_total += batch.copies
        self._listener.on_step(
            StepView(
                first_copy=0,
                copies=batch.copies,
                agents=batch.spec.agents,
                rewards=batch.rewards,
                terminated=batch.terminated,
                truncated=batch.truncated,
                alive_before=alive_before,
                seen=lambda: seen,
                metrics=batch.metrics,
                dt=batch.dt,
                events=batch.events,
            )
        )

    def state(self) -> TrainingState:
        """Return the position of the stream and the copies."""
        values = {"env_steps_total": self.env_steps_total, "stream_draws": self._stream.draws}
        return _RandomState(values=values, snapshots=[self._batch.snapshot(i) for i in range(self._batch.copies)])

    def load(self, stored: StoredTraining) -> None:
        """Continue from a state.

        Raises:
            DocumentError: It belongs to another kind of run.
        """
        total, draws = stored.values.get("env_steps_total"), stored.values.get("stream_draws")
        if not isinstance(total, int) or not isinstance(draws, int) or len(stored.snapshots) != self._batch.copies:
            raise DocumentError("the stored state is of another kind of run; its copies and backend must be the same")
        self._stream.advance(draws - self._stream.draws)
        for copy, data in enumerate(stored.snapshots):
            self._batch.restore(copy, data)
        self.env_steps_total = total

    def close(self) -> None:
        """Free the copies."""
        self._batch.close()
