"""`RolloutBuffer`: allocated once, time-major, written by the core itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import torch

from diorama.contracts.buffers import PER_COPY, Buffers, buffer_shapes
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import F32, I32

ONE_FOR_ALL_STEPS: Final = frozenset({"final_obs", "final_obs_u8"})  # read right after the step that wrote them
SHOWN: Final = ("obs", "obs_u8", "masks", "alive", "episode_start")  # what the policy looks at
OUTCOMES: Final = ("rewards", "terminated", "truncated")
_TORCH_TYPES: Final = {"float32": torch.float32, "uint8": torch.uint8, "uint16": torch.uint16, "uint64": torch.uint64}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraArray:
    """An array a source adds: numbers per row and their type."""

    width: int
    dtype: torch.dtype


@dataclass(frozen=True, slots=True, kw_only=True)
class RolloutShape:
    """How large a rollout is.

    Attributes:
        steps: Decisions per row.
        sequence_length: Decisions between stored memories.
        memory_width: Numbers a row remembers.
        extras: Arrays the source adds, by name.
    """

    spec: WorldSpec
    copies: int
    steps: int
    sequence_length: int
    memory_width: int
    extras: Mapping[str, ExtraArray]

    @property
    def rows(self) -> int:
        """Copies × seats."""
        return self.copies * self.spec.agents


class RolloutBuffer:
    """What happened in `steps` decisions of every row, and what it opened with and led to.

    Step `t` of `host` holds what the core wrote for decision `t`: the observation it is taken from, and the outcome
    of decision `t - 1`. It is memory that numpy and torch share, and on the CPU `seen` is the same memory; on another
    device `seen` holds copies of what the policy looks at.

    Attributes:
        is_apart: Whether `seen`, `actions` and the outcomes are other memory than the core's.
        host: Arrays of the core, (steps + 1) × rows or copies × width.
        seen: What the policy looks at, on its device.
        host_actions: Steps × rows × heads, int32, where the core reads them.
        actions: The same on the policy's device.
        log_probs: Steps × rows × heads.
        values: (Steps + 1) × rows.
        led: Steps × rows; where somebody else than the policy decided.
        bootstrap: Steps × rows, the value after an episode that was cut off.
        memory: Rows × memory width, before the next decision.
        chunk_memory: Chunks × rows × memory width, before the first decision of each chunk.
    """

    def __init__(self, shape: RolloutShape, device: torch.device) -> None:
        """Allocate everything, for a policy on this device."""
        self.shape = shape
        self.device = device
        self.is_apart = device.type != "cpu"
        steps, rows, heads = shape.steps, shape.rows, len(shape.spec.heads)
        self.host: dict[str, torch.Tensor] = {}
        self.host_extras: dict[str, torch.Tensor] = {}
        self.host_actions: torch.Tensor
        self.seen: dict[str, torch.Tensor] = {}
        self.extras: dict[str, torch.Tensor] = {}
        self.actions: torch.Tensor
        self._outcomes: dict[str, torch.Tensor] = {}
        self._allocate()
        self.log_probs = torch.zeros(steps, rows, heads, device=device)
        self.values = torch.zeros(steps + 1, rows, device=device)
        self.led = torch.zeros(steps, rows, dtype=torch.bool, device=device)
        self.bootstrap = torch.zeros(steps, rows, device=device)
        self.memory = torch.zeros(rows, shape.memory_width, device=device)
        self.chunk_memory = torch.zeros(steps // shape.sequence_length, rows, shape.memory_width, device=device)

    @property
    def openings(self) -> torch.Tensor:
        """Which rows open an episode with their next decision, on the host; one for each row."""
        return self.host["episode_start"][0]

    def observed(self, step: int) -> F32:
        """Return the float observations a decision was taken from, on the host."""
        rows: F32 = self.host["obs"][step].numpy()
        return rows

    def buffers(self, step: int, first_copy: int, copies: int) -> Buffers:
        """Return the core's buffers of one step and a run of copies."""
        agents = self.shape.spec.agents
        own = {
            True: slice(first_copy, first_copy + copies),
            False: slice(first_copy * agents, (first_copy + copies) * agents),
        }
        return Buffers(**{name: self._at(name, step)[own[name in PER_COPY]].numpy() for name in self.host})

    def begin(self, rows: slice | None = None) -> None:
        """Forget what the rollout before left where only some decisions are written."""
        rows = rows or slice(None)
        self.bootstrap[:, rows].zero_()
        self.led[:, rows].zero_()

    def turn_over(self, into: "RolloutBuffer | None" = None) -> None:
        """Make the end of this rollout the beginning of the next, in the same storage unless another is given."""
        into = into or self
        for name in SHOWN:
            into.host[name][0] = self.host[name][-1]
        for name, array in self.host_extras.items():
            into.host_extras[name][0] = array[-1]

    def share_outcomes(self) -> None:
        """Bring rewards and flags of every decision to where the policy lives, or to the host if they are there."""
        if self.is_apart:
            for name, there in self._outcomes.items():
                there.copy_(self.host[name][1:], non_blocking=True)

    def outcome(self, name: str) -> torch.Tensor:
        """Return rewards or flags of every decision, steps × rows, on the policy's device."""
        return self._outcomes[name]

    def deciding(self) -> torch.Tensor:
        """Return 1 for every row that took the decision, steps × rows, float32."""
        return self.seen["alive"][:-1].to(torch.float32)

    def _at(self, name: str, step: int) -> torch.Tensor:
        """Return an array of the core as it is written at a step."""
        return self.host[name] if name in ONE_FOR_ALL_STEPS else self.host[name][step]

    def _allocate(self) -> None:
        """Make the arrays of the core, and those on the device that belong to them."""
        shape, steps = self.shape, self.shape.steps
        self.host = {name: self._host_array(size, dtype) for name, (size, dtype) in self._described().items()}
        self.host_extras = {
            name: self._host_array((steps + 1, shape.rows, extra.width), extra.dtype)
            for name, extra in shape.extras.items()
        }
        self.host_actions = self._host_array((steps, shape.rows, len(shape.spec.heads)), torch.int32)
        self.seen = {name: self._mirror(self.host[name]) for name in SHOWN}
        self._outcomes = {name: self._mirror(self.host[name][1:]) for name in OUTCOMES}
        self.extras = {name: self._mirror(array) for name, array in self.host_extras.items()}
        self.actions = self._mirror(self.host_actions)

    def _described(self) -> dict[str, tuple[tuple[int, ...], torch.dtype]]:
        """Return shape and type of the core's arrays of all steps."""
        shape = self.shape
        return {
            name: (
                size if name in ONE_FOR_ALL_STEPS else (shape.steps + 1, *size),
                _TORCH_TYPES[dtype.__name__],
            )
            for name, (size, dtype) in buffer_shapes(shape.spec, shape.copies).items()
        }

    def _host_array(self, size: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
        return torch.zeros(size, dtype=dtype, pin_memory=self.device.type == "cuda")

    def _mirror(self, array: torch.Tensor) -> torch.Tensor:
        return torch.zeros_like(array, device=self.device) if self.is_apart else array


@dataclass(frozen=True, slots=True)
class StepViews:
    """What a decision is taken from, and the value it is given."""

    obs: torch.Tensor
    obs_u8: torch.Tensor
    starts: torch.Tensor
    masks: torch.Tensor
    extras: dict[str, torch.Tensor]
    values: torch.Tensor


@dataclass(frozen=True, slots=True)
class DecisionViews:
    """Where a decision is written: on the policy's device, and where the core reads it."""

    actions: torch.Tensor
    log_probs: torch.Tensor
    host_actions: torch.Tensor
    sent: I32

    def send(self) -> None:
        """Bring the actions to where the core reads them; where both are one memory there is nothing to do."""
        if self.host_actions is not self.actions:
            self.host_actions.copy_(self.actions)


def step_views(rollout: RolloutBuffer, step: int, rows: slice) -> StepViews:
    """Return the views of one step and a run of rows."""
    seen = rollout.seen
    return StepViews(
        obs=seen["obs"][step, rows],
        obs_u8=seen["obs_u8"][step, rows],
        starts=seen["episode_start"][step : step + 1, rows],
        masks=seen["masks"][step, rows],
        extras={name: array[step, rows] for name, array in rollout.extras.items()},
        values=rollout.values[step, rows],
    )


def decision_views(rollout: RolloutBuffer, step: int, rows: slice) -> DecisionViews:
    """Return the views of one decision and a run of rows."""
    actions = rollout.actions[step, rows]
    host_actions = actions if rollout.actions is rollout.host_actions else rollout.host_actions[step, rows]
    return DecisionViews(actions, rollout.log_probs[step, rows], host_actions, host_actions.numpy())


def show_step(rollout: RolloutBuffer, step: int, rows: slice) -> None:
    """Bring what the core wrote for a step of some rows to the policy's device, if that has memory of its own."""
    if not rollout.is_apart:
        return
    for name in SHOWN:
        rollout.seen[name][step, rows].copy_(rollout.host[name][step, rows], non_blocking=True)
    for name, array in rollout.host_extras.items():
        rollout.extras[name][step, rows].copy_(array[step, rows], non_blocking=True)
