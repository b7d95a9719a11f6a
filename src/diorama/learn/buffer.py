"""`RolloutBuffer`: time-major rollout storage that environments write to directly."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import torch

from diorama.contracts.buffers import PER_COPY, Buffers, buffer_shapes
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import F32, I32

WITHOUT_TIME_AXIS: Final = frozenset({"final_obs", "final_obs_u8"})  # read right after the step that wrote them
INPUT_ARRAYS: Final = ("obs", "obs_u8", "masks", "alive", "episode_start")  # copied to the policy's device
OUTCOMES: Final = ("rewards", "terminated", "truncated")
_TORCH_TYPES: Final = {"float32": torch.float32, "uint8": torch.uint8, "uint16": torch.uint16, "uint64": torch.uint64}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraArray:
    """Width per row and type of an extra array of the environments."""

    width: int
    dtype: torch.dtype


@dataclass(frozen=True, slots=True)
class TeachingShape:
    """What a teacher says of a decision: its choices, and maybe the probabilities of all options."""

    has_probabilities: bool


@dataclass(frozen=True, slots=True)
class Teaching:
    """What a teacher says of every decision of a rollout.

    Attributes:
        choices: Steps × rows × heads, int32.
        probabilities: Steps × rows × options of all heads, given the choices; None for a teacher that only chooses.
    """

    choices: torch.Tensor
    probabilities: torch.Tensor | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RolloutShape:
    """Sizes of a rollout.

    Attributes:
        steps: Decisions per row.
        sequence_length: Decisions per training sequence; the recurrent state is stored at the start of each.
        memory_width: Width of the recurrent state; 0 for a policy without memory.
        extras: Extra arrays of the environments, by name.
        teaching: What a teacher says of every decision; None without a teacher.
        learns_from_dt: Whether the ticks of each decision are among the outcomes that are learned from.
        components: Number of terms of the reward whose values are predicted one by one; 0 for one value per row.
    """

    spec: WorldSpec
    copies: int
    steps: int
    sequence_length: int
    memory_width: int
    extras: Mapping[str, ExtraArray]
    teaching: "TeachingShape | None" = None
    learns_from_dt: bool = False
    components: int = 0

    @property
    def rows(self) -> int:
        """Copies × seats."""
        return self.copies * self.spec.agents

    @property
    def outcomes(self) -> tuple[str, ...]:
        """Names of the arrays with the outcomes of decisions that are learned from."""
        return (*OUTCOMES, "dt") if self.learns_from_dt else OUTCOMES

    @property
    def value_shape(self) -> tuple[int, ...]:
        """Rows, and components where there are any."""
        return (self.rows, self.components) if self.components else (self.rows,)


class RolloutBuffer:
    """`steps` transitions of every row.

    `host[name][t]` holds what the environments wrote at step `t`: the observation of decision `t` and the outcome of
    decision `t - 1`. The memory is shared by numpy and torch. On the CPU `inputs` is the same memory; on another device
    `inputs` holds copies.

    Attributes:
        has_device_copy: Whether `inputs`, `actions` and the outcomes are separate memory on the policy's device.
        host: Arrays of the environments, (steps + 1) × rows or copies × width.
        inputs: Observations, masks and flags on the policy's device.
        host_actions: Steps × rows × heads, int32, read by the environments.
        actions: The same on the policy's device.
        log_probs: Steps × rows × heads.
        values: (Steps + 1) × rows, or × components.
        reward_terms: Steps × rows × components.
        by_expert: Steps × rows, true where the world's expert chose the action.
        bootstrap: Like `values`, steps only: value of the final observation of a truncated episode.
        memory: Recurrent state before the next decision, rows × memory width.
        chunk_memory: Recurrent state at the start of each sequence, chunks × rows × memory width.
        stored_starts: (Steps + 1) × copies, 1 where the running episode began in a stored state, on the host; None
            where all begin in ordinary ones.
        unlearned: Steps × rows, true for decisions without a weight; None where all have one.
        teaching: What the teacher says of every decision; None without a teacher.
        is_taught: Whether the teacher was asked in this rollout.
    """

    def __init__(self, shape: RolloutShape, device: torch.device) -> None:
        """Allocate the arrays for a policy on this device."""
        self.shape = shape
        self.device = device
        self.has_device_copy = device.type != "cpu"
        steps, rows, heads = shape.steps, shape.rows, len(shape.spec.heads)
        self.host: dict[str, torch.Tensor] = {}
        self.host_extras: dict[str, torch.Tensor] = {}
        self.host_actions: torch.Tensor
        self.inputs: dict[str, torch.Tensor] = {}
        self.extras: dict[str, torch.Tensor] = {}
        self.actions: torch.Tensor
        self._outcomes: dict[str, torch.Tensor] = {}
        self._allocate()
        self.log_probs = torch.zeros(steps, rows, heads, device=device)
        self.values = torch.zeros(steps + 1, *shape.value_shape, device=device)
        self.reward_terms = torch.zeros(steps, rows, shape.components)
        self.by_expert = torch.zeros(steps, rows, dtype=torch.bool, device=device)
        self.bootstrap = torch.zeros(steps, *shape.value_shape, device=device)
        self.memory = torch.zeros(rows, shape.memory_width, device=device)
        self.teaching = self._teaching()
        self.is_taught = False
        self.chunk_memory = torch.zeros(steps // shape.sequence_length, rows, shape.memory_width, device=device)
        self.stored_starts: torch.Tensor | None = None
        self.unlearned: torch.Tensor | None = None

    @property
    def initial_episode_starts(self) -> torch.Tensor:
        """The `episode_start` flags of the first step, one per row, on the host."""
        return self.host["episode_start"][0]

    def observations(self, step: int) -> F32:
        """Return the float observations of a step, on the host."""
        rows: F32 = self.host["obs"][step].numpy()
        return rows

    def buffers(self, step: int, first_copy: int, copies: int) -> Buffers:
        """Return the environments' buffers of one step, for consecutive copies."""
        agents = self.shape.spec.agents
        own = {
            True: slice(first_copy, first_copy + copies),
            False: slice(first_copy * agents, (first_copy + copies) * agents),
        }
        return Buffers(**{name: self._at(name, step)[own[name in PER_COPY]].numpy() for name in self.host})

    def reset(self, rows: slice | None = None) -> None:
        """Clear `bootstrap` and `by_expert`, of which only some entries are written."""
        rows = rows or slice(None)
        self.bootstrap[:, rows].zero_()
        self.by_expert[:, rows].zero_()

    def carry_last_step(self, into: "RolloutBuffer | None" = None) -> None:
        """Copy the last step to the first step of the next rollout, which is this buffer unless another is given."""
        into = into or self
        for name in INPUT_ARRAYS:
            into.host[name][0] = self.host[name][-1]
        for name, array in self.host_extras.items():
            into.host_extras[name][0] = array[-1]
        if self.stored_starts is not None and into.stored_starts is not None:
            into.stored_starts[0] = self.stored_starts[-1]

    def sync_outcomes(self) -> None:
        """Copy rewards and flags of all steps to the policy's device."""
        if self.has_device_copy:
            for name, array in self._outcomes.items():
                array.copy_(self.host[name][1:], non_blocking=True)

    def outcome(self, name: str) -> torch.Tensor:
        """Return `rewards`, `terminated` or `truncated` of every decision, steps × rows, on the policy's device."""
        return self._outcomes[name]

    def ticks(self) -> torch.Tensor | None:
        """Return the ticks of every decision, steps × rows, float64, on the policy's device; None if unused."""
        if not self.shape.learns_from_dt:
            return None
        # Copies that live on a device write 16 bits with a sign.
        dt = self._outcomes["dt"].to(torch.int32) & 0xFFFF
        return dt.repeat_interleave(self.shape.spec.agents, dim=1).double()

    def alive_mask(self) -> torch.Tensor:
        """Return 1 where a row was alive and took a decision, steps × rows, float32."""
        return self.inputs["alive"][:-1].to(torch.float32)

    def _at(self, name: str, step: int) -> torch.Tensor:
        return self.host[name] if name in WITHOUT_TIME_AXIS else self.host[name][step]

    def _allocate(self) -> None:
        shape, steps = self.shape, self.shape.steps
        self.host = {name: self._host_array(size, dtype) for name, (size, dtype) in self._array_specs().items()}
        self.host_extras = {
            name: self._host_array((steps + 1, shape.rows, extra.width), extra.dtype)
            for name, extra in shape.extras.items()
        }
        self.host_actions = self._host_array((steps, shape.rows, len(shape.spec.heads)), torch.int32)
        self.inputs = {name: self._device_copy(self.host[name]) for name in INPUT_ARRAYS}
        self._outcomes = {name: self._device_copy(self.host[name][1:]) for name in shape.outcomes}
        self.extras = {name: self._device_copy(array) for name, array in self.host_extras.items()}
        self.actions = self._device_copy(self.host_actions)

    def _teaching(self) -> Teaching | None:
        shape = self.shape
        if shape.teaching is None:
            return None
        size, options = (shape.steps, shape.rows), len(shape.spec.option_names)
        return Teaching(
            choices=torch.zeros(*size, len(shape.spec.heads), dtype=torch.int32),
            probabilities=torch.zeros(*size, options) if shape.teaching.has_probabilities else None,
        )

    def _array_specs(self) -> dict[str, tuple[tuple[int, ...], torch.dtype]]:
        shape = self.shape
        return {
            name: (
                size if name in WITHOUT_TIME_AXIS else (shape.steps + 1, *size),
                _TORCH_TYPES[dtype.__name__],
            )
            for name, (size, dtype) in buffer_shapes(shape.spec, shape.copies).items()
        }

    def _host_array(self, size: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
        return torch.zeros(size, dtype=dtype, pin_memory=self.device.type == "cuda")

    def _device_copy(self, array: torch.Tensor) -> torch.Tensor:
        return torch.zeros_like(array, device=self.device) if self.has_device_copy else array


@dataclass(frozen=True, slots=True)
class StepViews:
    """Inputs of one decision, and its value; views of a rollout."""

    obs: torch.Tensor
    obs_u8: torch.Tensor
    starts: torch.Tensor
    masks: torch.Tensor
    extras: dict[str, torch.Tensor]
    values: torch.Tensor


@dataclass(frozen=True, slots=True)
class DecisionViews:
    """Outputs of one decision; views of a rollout.

    Attributes:
        actions: On the policy's device.
        log_probs: On the policy's device.
        host_actions: The actions that the environments read; `actions` itself on the CPU.
        numpy_actions: `host_actions` as a numpy array.
    """

    actions: torch.Tensor
    log_probs: torch.Tensor
    host_actions: torch.Tensor
    numpy_actions: I32

    def copy_to_host(self) -> None:
        """Copy the actions to the host, unless they are there."""
        if self.host_actions is not self.actions:
            self.host_actions.copy_(self.actions)


def step_views(rollout: RolloutBuffer, step: int, rows: slice) -> StepViews:
    """Return the inputs of one step, for consecutive rows."""
    inputs = rollout.inputs
    return StepViews(
        obs=inputs["obs"][step, rows],
        obs_u8=inputs["obs_u8"][step, rows],
        starts=inputs["episode_start"][step : step + 1, rows],
        masks=inputs["masks"][step, rows],
        extras={name: array[step, rows] for name, array in rollout.extras.items()},
        values=rollout.values[step, rows],
    )


def decision_views(rollout: RolloutBuffer, step: int, rows: slice) -> DecisionViews:
    """Return the outputs of one step, for consecutive rows."""
    actions = rollout.actions[step, rows]
    host_actions = actions if rollout.actions is rollout.host_actions else rollout.host_actions[step, rows]
    return DecisionViews(actions, rollout.log_probs[step, rows], host_actions, host_actions.numpy())


def copy_step_to_device(rollout: RolloutBuffer, step: int, rows: slice) -> None:
    """Copy the inputs of one step to the policy's device, if it has its own memory."""
    if not rollout.has_device_copy:
        return
    for name in INPUT_ARRAYS:
        rollout.inputs[name][step, rows].copy_(rollout.host[name][step, rows], non_blocking=True)
    for name, array in rollout.host_extras.items():
        rollout.extras[name][step, rows].copy_(array[step, rows], non_blocking=True)
