"""Everything a run of growing hosts consists of: the engine, the rules, the envs and where their events go."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Final, Self

from diorama.worlds.morphogenesis.config import MorphogenesisConfig
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction
from diorama.worlds.morphogenesis.contracts.events import TelemetryEventType
from diorama.worlds.morphogenesis.contracts.gates import GateLevel
from diorama.worlds.morphogenesis.contracts.payloads.base import Payload
from diorama.worlds.morphogenesis.contracts.payloads.lifecycle import (
    LifecyclePayload,
    SeedFossilizedPayload,
    SeedGateEvaluatedPayload,
    SeedGerminatedPayload,
    SeedPrunedPayload,
    SeedStageChangedPayload,
)
from diorama.worlds.morphogenesis.contracts.slots import SlotConfig
from diorama.worlds.morphogenesis.contracts.timings import TIMING_PRESETS
from diorama.worlds.morphogenesis.contracts.units import AccuracyWatch
from diorama.worlds.morphogenesis.controller.mask_rules import MaskRules
from diorama.worlds.morphogenesis.controller.signals import SignalTracker
from diorama.worlds.morphogenesis.data.arrays import TaskData
from diorama.worlds.morphogenesis.data.loading import build_host, load_data, slots_of
from diorama.worlds.morphogenesis.data.tasks import TaskSpec, task_named
from diorama.worlds.morphogenesis.engine.env import Env
from diorama.worlds.morphogenesis.engine.event_stream import EventStream
from diorama.worlds.morphogenesis.engine.layout import RowLayout, default_groups
from diorama.worlds.morphogenesis.engine.protocol import EngineSetup, HostEngine
from diorama.worlds.morphogenesis.engine.reward_configs import contribution_reward_config, loss_reward_config
from diorama.worlds.morphogenesis.hosting.growth import Growth
from diorama.worlds.morphogenesis.hosting.slot import LifecycleRules
from diorama.worlds.morphogenesis.rewards.config import ContributionRewardConfig, LossRewardConfig
from diorama.worlds.morphogenesis.safety.governor import Governor
from diorama.worlds.morphogenesis.safety.vital_signs import VitalSigns
from diorama.worlds.morphogenesis.streams import Streams
from diorama.worlds.morphogenesis.vectorized_types import EnvStepRecord

EngineMaker = Callable[[EngineSetup], HostEngine]

_LIFECYCLE_KINDS: Final[dict[type[Payload], TelemetryEventType]] = {
    SeedGerminatedPayload: TelemetryEventType.SEED_GERMINATED,
    SeedStageChangedPayload: TelemetryEventType.SEED_STAGE_CHANGED,
    SeedGateEvaluatedPayload: TelemetryEventType.SEED_GATE_EVALUATED,
    SeedFossilizedPayload: TelemetryEventType.SEED_FOSSILIZED,
    SeedPrunedPayload: TelemetryEventType.SEED_PRUNED,
}


@dataclass(slots=True, kw_only=True)
class Nursery:
    """The envs of a run and all they share.

    Attributes:
        failed_twins: Groups whose twin is lost for this round.
        accuracies: Checks what the epochs of the run report.
    """

    config: MorphogenesisConfig
    task: TaskSpec
    streams: Streams
    layout: RowLayout
    slots: SlotConfig
    lifecycle: LifecycleRules
    mask_rules: MaskRules
    engine: HostEngine
    events: EventStream
    device: str
    samples_per_epoch: int
    contribution_reward: ContributionRewardConfig
    loss_reward: LossRewardConfig
    envs: tuple[Env, ...] = ()
    failed_twins: set[int] = field(default_factory=set)
    accuracies: AccuracyWatch = field(default_factory=AccuracyWatch)
    round_index: int = 0
    epoch: int = 0

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
        """Load the data, build the engine and lay out the envs."""
        task, layout = config.task_spec, layout_of(config, envs)
        streams = Streams(root_key)
        lifecycle = lifecycle_rules(config)
        setup = engine_setup(config, layout, streams, device)
        engine = make_engine(setup)
        budget = config.param_budget or task.budget_for(engine.host_params)
        nursery = cls(
            config=config,
            task=task,
            streams=streams,
            layout=layout,
            slots=setup.slots,
            lifecycle=lifecycle,
            mask_rules=mask_rules(config, lifecycle),
            engine=engine,
            events=events or EventStream(),
            device=device,
            samples_per_epoch=_samples_per_epoch(setup),
            contribution_reward=contribution_reward_config(
                config, param_budget=budget, holding_epochs=lifecycle.timings.min_holding_for_full_bonus
            ),
            loss_reward=loss_reward_config(config, task),
        )
        nursery.envs = tuple(nursery._env(row) for row in range(layout.envs))
        return nursery

    @property
    def max_epochs(self) -> int:
        """Length of an episode."""
        return self.config.episode_epochs

    @property
    def host_params(self) -> int:
        """Parameters of a host without seeds."""
        return self.engine.host_params

    def begin_round(self, round_index: int) -> None:
        """Put every row, slot, governor and counter back to the start of an episode."""
        self.round_index, self.epoch = round_index, 0
        self.engine.reset(round_index)
        self.failed_twins.clear()
        for env in self.envs:
            env.reset(round_index)
            self.engine.snapshot(env.row)

    def _env(self, row: int) -> Env:
        return Env(
            row=row,
            env_id=self.layout.env_ids[row],
            growth=Growth(
                self.slots,
                self.task.topology,
                self.lifecycle,
                self.engine.bed(row),
                lambda payload: self._tell_lifecycle(row, payload),
                host_params=self.engine.host_params,
                execution_order=self.engine.execution_order,
            ),
            governor=Governor(
                vital_signs=VitalSigns(
                    num_classes=self.task.num_classes, loss_threshold=self.task.governor_loss_threshold
                )
            ),
            tracker=SignalTracker(
                stabilization_epochs=self.config.stabilization_epochs,
                plateau_threshold_pp=self.config.plateau_threshold,
            ),
            has_twin=self.layout.twin_row(row) is not None,
            record=EnvStepRecord(env_idx=self.layout.env_ids[row]),
        )

    def _tell_lifecycle(self, row: int, payload: LifecyclePayload) -> None:
        env = self.envs[row]
        state = env.growth.slot(payload.slot_id).state
        self.events.emit(
            _LIFECYCLE_KINDS[type(payload)],
            replace(payload, env_id=env.env_id, episode_idx=self.round_index),
            row=row,
            epoch=self.epoch,
            slot_id=payload.slot_id,
            seed_id=None if state is None else state.seed_id,
        )
        if state is None:
            return
        if isinstance(payload, SeedGerminatedPayload):
            env.planting.note_planting(state.blueprint)
        if isinstance(payload, SeedPrunedPayload):
            env.memory.forget(state.seed_id, state.slot_id)
            env.planting.note_prune(state.blueprint, self.epoch)


def layout_of(config: MorphogenesisConfig, envs: int) -> RowLayout:
    """Return the rows of a run of so many envs, or of the one env of a larger run that is run again."""
    place = config.episode
    env_ids = tuple(range(envs)) if place is None else (place.env,)
    all_envs = envs if place is None else place.envs
    groups = min(config.init_groups or default_groups(all_envs), all_envs)
    return RowLayout.of(env_ids, all_envs=all_envs, groups=groups, has_twins=config.control_twins)


def lifecycle_rules(config: MorphogenesisConfig) -> LifecycleRules:
    """Return how strict a run is with its seeds."""
    timings = TIMING_PRESETS[config.timing_preset or config.task_spec.timings]
    if config.min_prune_age is not None:
        timings = replace(timings, min_prune_age=config.min_prune_age)
    opened = (
        (GateLevel.G1, config.auto_forward_g1),
        (GateLevel.G2, config.auto_forward_g2),
        (GateLevel.G3, config.auto_forward_g3),
    )
    return LifecycleRules(
        timings=timings,
        permissive_gates=config.permissive_gates,
        auto_forward=frozenset(gate for gate, is_open in opened if is_open),
    )


def mask_rules(config: MorphogenesisConfig, lifecycle: LifecycleRules) -> MaskRules:
    """Return what a run lets its controller do."""
    allowed = config.allowed_blueprints
    return MaskRules(
        topology=config.task_spec.topology,
        slot_ids=config.slot_ids,
        min_prune_age=lifecycle.timings.min_prune_age,
        max_seeds=config.max_seeds,
        sequential_development=config.sequential_development,
        mask_failing_gates=config.mask_failing_gates,
        auto_forward=lifecycle.auto_forward,
        allowed_blueprints=None if allowed is None else frozenset(BlueprintAction[name.upper()] for name in allowed),
    )


def engine_setup(config: MorphogenesisConfig, layout: RowLayout, streams: Streams, device: str) -> EngineSetup:
    """Return what an engine is built from; this loads the data."""
    task = config.task_spec
    root = None if config.data_root is None else Path(config.data_root)
    data = _task_data(task.name, root)
    batches = config.train_batches_per_epoch or task.train_batches_per_epoch
    return EngineSetup(
        task=task,
        slots=slots_of(build_host(task), config.slot_ids),
        data=data if config.val_subset is None else data.first_validation(config.val_subset),
        streams=streams,
        layout=layout,
        batch_size=config.batch_size or task.batch_size,
        max_batches=None if batches == "all" else batches,
        incubation=config.incubation,
        seed_gain_init=config.seed_gain_init,
        max_grad_norm=config.host_max_grad_norm,
        shares_data=config.data_sharing == "shared",
        augments=config.augment == "crop_flip",
        gradient_stride=config.gradient_telemetry_stride,
        device=device,
    )


@lru_cache(maxsize=2)
def _task_data(task_name: str, root: Path | None) -> TaskData:
    # Data is the same for every run of a task, and some of it is slow to draw.
    return load_data(task_named(task_name), cifar_root=root)


def _samples_per_epoch(setup: EngineSetup) -> int:
    full = len(setup.data.train_inputs) // setup.batch_size
    return setup.batch_size * (full if setup.max_batches is None else min(full, setup.max_batches))
