"""The configuration of `morphogenesis`: task, slots, lifecycle, reward and measurement."""

from collections.abc import Iterator
from typing import Annotated, Final, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PositiveFloat,
    PositiveInt,
    model_validator,
)

from diorama.contracts.config import WorldConfig
from diorama.contracts.named_files import FilePath
from diorama.worlds.morphogenesis.contracts.blueprints import TOPOLOGY_BLUEPRINTS
from diorama.worlds.morphogenesis.contracts.errors import SlotIdError
from diorama.worlds.morphogenesis.contracts.incubation import Incubation
from diorama.worlds.morphogenesis.contracts.slots import parse_slot_id
from diorama.worlds.morphogenesis.contracts.timings import TimingPreset
from diorama.worlds.morphogenesis.data.tasks import CnnShape, TaskSpec, task_named
from diorama.worlds.morphogenesis.rewards.constants import RewardConstants, checked_constants

RewardFamilyName = Literal["contribution", "loss"]
RewardModeName = Literal["shaped", "escrow", "basic", "basic_plus", "sparse", "minimal", "simplified"]
LARGEST_EPOCHS: Final = 100_000


def _refuse_bare_text(given: object) -> object:
    if isinstance(given, str):
        raise ValueError(f"{given!r} is one text; give a list, as in ['r0c0', 'r0c1']")
    return given


def _by_name(given: object) -> object:
    return [name.lower() if isinstance(name, str) else name for name in given] if isinstance(given, list) else given


Names = Annotated[tuple[str, ...], BeforeValidator(_refuse_bare_text)]
Parameters = Annotated[int, Field(gt=0, le=2**53)]
RewardScale = Annotated[float, Field(gt=0.0, le=1e9)]  # rewards are stored as float32, and stay far from its end


class EpisodePlace(BaseModel):
    """One env of a larger run, to run its episode again alone: the same weights, data and twin."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    round: int = Field(0, ge=0, description="Round the first reset opens.")
    env: int = Field(0, ge=0, description="Index of the env in that run.")
    envs: PositiveInt = Field(1, description="Number of envs of that run.")

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.env >= self.envs:
            raise ValueError(f"env {self.env} is outside 0..{self.envs - 1}")
        return self


class MorphogenesisConfig(WorldConfig):
    """What a run of growing hosts is like; `None` takes the task's own value."""

    task: Annotated[str, AfterValidator(lambda name: task_named(name).name)] = Field(
        "digits_impaired", description="Task or family: host, data, slots and settings."
    )
    data_root: Annotated[str, FilePath()] | None = Field(
        None, description="Folder that holds the CIFAR-10 files, for the tasks that need it."
    )
    max_epochs: int | None = Field(None, ge=1, le=LARGEST_EPOCHS, description="Length of an episode in epochs.")
    batch_size: PositiveInt | None = Field(None, description="Samples of a minibatch.")
    train_batches_per_epoch: PositiveInt | Literal["all"] | None = Field(None, description="Minibatches of an epoch.")
    host_max_grad_norm: PositiveFloat = Field(1.0, description="Clip of each host's and each seed's gradient.")
    slots: Names | None = Field(None, min_length=1, description="Enabled slots, such as r0c0.")
    max_seeds: int = Field(0, ge=0, description="Cap on attached seeds; 0 is none.")
    allowed_blueprints: Annotated[Names, BeforeValidator(_by_name)] | None = Field(
        None, min_length=1, description="Blueprints that may be planted; all of the topology's by default."
    )
    timing_preset: TimingPreset | None = Field(None, description="Dwell times and ramps.")
    min_prune_age: int | None = Field(None, ge=0, description="Age in epochs from which a seed can be pruned.")
    permissive_gates: bool = Field(True, description="Gates look at structure and safety only.")
    auto_forward_g1: bool = Field(False, description="GERMINATED goes on to TRAINING by itself.")
    auto_forward_g2: bool = Field(False, description="TRAINING goes on to BLENDING by itself.")
    auto_forward_g3: bool = Field(False, description="BLENDING goes on to HOLDING by itself.")
    mask_failing_gates: bool = Field(True, description="ADVANCE is masked while its gate refuses.")
    sequential_development: bool = Field(True, description="One seed is incubated at a time.")
    seed_gain_init: float = Field(0.0, ge=-1e6, le=1e6, description="First residual gain of a convolutional seed.")
    incubation: Incubation = Field("shadow", description="How a seed in TRAINING learns.")
    reward_family: RewardFamilyName = Field("contribution", description="What the reward is made from.")
    reward_mode: RewardModeName = Field("shaped", description="How the contribution family pays.")
    gamma: float = Field(0.995, gt=0.0, le=1.0, description="Discount of the shaping; the trainer's must be the same.")
    param_budget: Parameters | None = Field(None, description="Parameters that count as one whole budget.")
    param_penalty_weight: float = Field(0.1, ge=0.0, le=1e9, description="Price of one whole parameter budget.")
    sparse_reward_scale: RewardScale = Field(1.0, description="Scale of the sparse modes.")
    rent_host_params_floor: Parameters = Field(200, description="Least host size that growth is measured against.")
    basic_acc_delta_weight: RewardScale = Field(5.0, description="Weight of the gain at the end in the basic modes.")
    disable_pbrs: bool = Field(False, description="No stage potential.")
    disable_terminal_reward: bool = Field(False, description="Nothing is paid at the end.")
    disable_anti_gaming: bool = Field(False, description="No ratio penalty and no alpha shock.")
    reward_constants: Annotated[RewardConstants, AfterValidator(checked_constants)] = Field(
        default_factory=dict,
        description="Constants of the reward that differ from their defaults, by name.",
        # Absent without any, so that hashes, snapshots and replays of the rewards as they are stay what they were.
        exclude_if=lambda constants: not constants,
    )
    control_twins: bool = Field(True, description="A host per group that never grows, to measure the gain against.")
    init_groups: PositiveInt | None = Field(None, description="Groups of envs with the same first weights.")
    counterfactual_interval: PositiveInt = Field(1, description="Epochs between measurements of contributions.")
    data_sharing: Literal["shared", "per_host"] = Field("shared", description="Whose minibatches a host sees.")
    augment: Literal["none", "crop_flip"] = Field("none", description="Augmentation of the training images.")
    val_subset: PositiveInt | None = Field(None, description="Validate on the first samples only.")
    plateau_threshold: float = Field(0.5, ge=0.0, description="Gain in points below which an epoch is a plateau.")
    stabilization_epochs: int = Field(3, ge=0, description="Calm epochs after which a host counts as settled.")
    gradient_telemetry_stride: PositiveInt = Field(1, description="Gradients are read every so many epochs.")
    causal_log: bool = Field(False, description="Tell what led to every change of a network.")
    phase_profile: bool = Field(False, description="Tell where the time of every epoch went.")
    allocator_stats: bool = Field(False, description="Tell the state of an accelerator's memory after every round.")
    deterministic: bool = Field(True, description="Deterministic kernels on an accelerator, too.")
    episode: EpisodePlace | None = Field(None, description="Run one env of a larger run again alone.")

    @model_validator(mode="after")
    def _check_together(self) -> Self:
        problems = list(_problems(self))
        if problems:
            raise ValueError("; ".join(problems))
        return self

    @property
    def task_spec(self) -> TaskSpec:
        """The task by its name or family."""
        return task_named(self.task)

    @property
    def slot_ids(self) -> tuple[str, ...]:
        """Enabled slots in action index order."""
        return tuple(sorted(self.slots or self.task_spec.slots, key=parse_slot_id))

    @property
    def episode_epochs(self) -> int:
        """Length of an episode."""
        return self.max_epochs or self.task_spec.max_epochs


def host_slots(task: TaskSpec) -> tuple[str, ...]:
    """Return every slot the host of a task has, without building it."""
    if isinstance(task.host, CnnShape):
        rows = (task.host.n_blocks, task.host.pool_layers)
        return tuple(f"r{row}c{col}" for row, count in enumerate(rows) for col in range(count))
    return tuple(f"r0c{segment}" for segment in range(task.host.num_segments))


def _problems(config: MorphogenesisConfig) -> Iterator[str]:
    yield from _slot_problems(config)
    task = config.task_spec
    native = [blueprint.blueprint_id for blueprint in TOPOLOGY_BLUEPRINTS[task.topology]]
    foreign = [name for name in config.allowed_blueprints or () if name not in native]
    if foreign:
        yield f"allowed_blueprints: {', '.join(foreign)} cannot grow in {task.name}; choose from {', '.join(native)}"
    if config.reward_family == "loss" and config.reward_mode != "shaped":
        yield f"reward_mode: the loss family pays in one way; leave it at shaped instead of {config.reward_mode}"
    losses = {"baseline_loss": task.baseline_loss, "target_loss": task.target_loss, **config.reward_constants}
    if losses["baseline_loss"] == losses["target_loss"]:
        yield f"reward_constants: baseline_loss and target_loss are both {losses['target_loss']}; they must differ"
    if config.augment == "crop_flip" and task.family != "cifar":
        yield f"augment: crop_flip is made for CIFAR images; task {task.name} takes none"


def _slot_problems(config: MorphogenesisConfig) -> Iterator[str]:
    known = {parse_slot_id(slot_id): slot_id for slot_id in host_slots(config.task_spec)}
    places = []
    for slot_id in config.slots or ():
        try:
            places.append(parse_slot_id(slot_id))
        except SlotIdError as error:
            yield f"slots: {error}"
        else:
            if places[-1] not in known:
                yield f"slots: {config.task} has no {slot_id}; there are: {', '.join(known.values())}"
    if len(set(places)) != len(places):
        yield "slots: each may be named once"
