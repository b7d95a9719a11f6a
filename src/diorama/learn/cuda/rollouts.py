"""Rollout buffers for a policy on a GPU."""

from collections.abc import Iterable
from dataclasses import fields
from typing import Final, Self

import torch

from diorama.contracts.resident import DeviceRows
from diorama.contracts.values import F32
from diorama.device_recording import side_stream
from diorama.learn.buffer import INPUT_ARRAYS, WITHOUT_TIME_AXIS, RolloutBuffer, RolloutShape


class CopyStream:
    """Copies arrays on its own CUDA stream; on the CPU, copies them directly."""

    def __init__(self, device: torch.device) -> None:
        """Create the stream."""
        self._stream = side_stream(device, is_urgent=False)

    def copy(self, pairs: Iterable[tuple[torch.Tensor, torch.Tensor]]) -> None:
        """Copy the second tensor of each pair into the first, and wait."""
        if self._stream is None:
            for target, array in pairs:
                target.copy_(array)
            return
        with torch.cuda.stream(self._stream):
            for target, array in pairs:
                target.copy_(array, non_blocking=True)
        self._stream.synchronize()

    def to_host(self, array: torch.Tensor) -> F32:
        """Return a copy of a float array on the host."""
        copy = torch.empty_like(array, device="cpu")
        self.copy([(copy, array)])
        result: F32 = copy.numpy()
        return result


STEP_INPUTS: Final = ("obs", "obs_u8", "masks", "episode_start")  # sent to the device before every action
_ONE_STEP: Final = WITHOUT_TIME_AXIS | set(STEP_INPUTS)


class DeviceRollout(RolloutBuffer):
    """A rollout on the device, filled by environments on the host.

    Of the policy's inputs the host holds only the current step: the device has copied them before the environments
    write the next step. They stay in the processor's cache, and their address does not change, so a CUDA graph can
    record the copy. `host_actions` (rows × heads) and `host_extras` (rows × width) are those of one step as well.
    """

    def __init__(self, shape: RolloutShape, device: torch.device, twin: Self | None = None) -> None:
        """Allocate the arrays.

        Args:
            shape: Sizes of the rollout.
            device: Of the policy; even on the CPU, inputs are copied out of the memory that the environments write.
            twin: Another rollout that is filled in turn with this one; the arrays of the current step are shared.
        """
        self._copy_stream = CopyStream(device)
        self._twin = twin
        super().__init__(shape, device)
        self.has_device_copy = True
        if twin is not None:
            self.memory = twin.memory

    @property
    def initial_episode_starts(self) -> torch.Tensor:
        """The `episode_start` flags of the current step, one per row, on the host."""
        return self.host["episode_start"]

    def observations(self, step: int) -> F32:
        """Return the float observations of a step, copied to the host while the device may be learning."""
        return self._copy_stream.to_host(self.inputs["obs"][step])

    def carry_last_step(self, into: RolloutBuffer | None = None) -> None:
        """Copy the last `alive` flags to the next rollout; the other inputs are those of the current step anyway."""
        (into or self).host["alive"][0] = self.host["alive"][-1]

    def sync_outcomes(self) -> None:
        """Copy rewards and flags of all steps to the device."""
        outcomes = [(array, self.host[name][1:]) for name, array in self._outcomes.items()]
        self._copy_stream.copy([(self.inputs["alive"], self.host["alive"]), *outcomes])

    def _at(self, name: str, step: int) -> torch.Tensor:
        return self.host[name] if name in _ONE_STEP else self.host[name][step]

    def _allocate(self) -> None:
        specs, steps, rows = self._array_specs(), self.shape.steps, self.shape.rows
        device, heads = self.device, len(self.shape.spec.heads)
        extras = self.shape.extras.items()
        self.host = {name: self._host_array(*item) for name, item in specs.items() if name not in _ONE_STEP}
        if self._twin is None:
            one_step = {name: specs[name] for name in WITHOUT_TIME_AXIS}
            one_step |= {name: (size[1:], dtype) for name, (size, dtype) in specs.items() if name in STEP_INPUTS}
            self.host |= {name: self._host_array(*item) for name, item in one_step.items()}
            self.host_actions = self._host_array((rows, heads), torch.int32)
            self.host_extras = {name: self._host_array((rows, extra.width), extra.dtype) for name, extra in extras}
        else:
            self.host |= {name: self._twin.host[name] for name in _ONE_STEP}
            self.host_actions, self.host_extras = self._twin.host_actions, self._twin.host_extras
        self.inputs = {
            name: torch.zeros(size, dtype=dtype, device=device)
            for name, (size, dtype) in specs.items()
            if name in INPUT_ARRAYS
        }
        self._outcomes = {name: torch.zeros_like(self.host[name][1:], device=device) for name in self.shape.outcomes}
        self.extras = {
            name: torch.zeros(steps + 1, rows, extra.width, dtype=extra.dtype, device=device) for name, extra in extras
        }
        self.actions = torch.zeros(steps, rows, heads, dtype=torch.int32, device=device)


_REPORTED: Final = ("rewards", "terminated", "truncated", "alive", "episode_start", "metrics", "dt", "events")
_SIGNED: Final = {torch.uint16: torch.int16, torch.uint64: torch.int64}


class ResidentRollout(RolloutBuffer):
    """A rollout whose environments live on the device; arrays that callbacks read are copied to the host at its end."""

    def __init__(self, shape: RolloutShape, device: torch.device, twin: "ResidentRollout | None" = None) -> None:
        """Allocate the arrays; a `twin` that is filled in turn with this rollout shares its recurrent state."""
        self._copy_stream = CopyStream(device)
        self._previous: ResidentRollout | None = None
        super().__init__(shape, device)
        if twin is not None:
            self.memory = twin.memory

    def device_rows(self, step: int) -> DeviceRows:
        """Return the arrays that the copies write at one step."""
        arrays = {item.name: self._device_arrays[item.name] for item in fields(DeviceRows)}
        return DeviceRows(
            **{name: array if name in WITHOUT_TIME_AXIS else array[step] for name, array in arrays.items()}
        )

    def observations(self, step: int) -> F32:
        """Return the float observations of a step, copied to the host while the device may be learning."""
        return self._copy_stream.to_host(self.inputs["obs"][step])

    def start_fresh(self) -> None:
        """Start from the current observations of the copies, after a reset or restore."""
        self._previous = None
        for name in ("alive", "episode_start"):
            self.host[name][0].copy_(self.inputs[name][0])

    def reset(self, rows: slice | None = None) -> None:
        """Start where the previous rollout ended, and clear `bootstrap` and `by_expert`."""
        if self._previous is not None:
            for name in INPUT_ARRAYS:
                self.inputs[name][0].copy_(self._previous.inputs[name][-1])
            self._previous = None
        self.inputs["episode_start"][0].copy_(self.host["episode_start"][0])
        super().reset(rows)

    def carry_last_step(self, into: RolloutBuffer | None = None) -> None:
        """Copy the last flags to the next rollout; its `reset` copies the inputs on the device."""
        into = into or self
        assert isinstance(into, ResidentRollout)
        into._previous = self
        for name in ("alive", "episode_start"):
            into.host[name][0] = self.host[name][-1]

    def sync_outcomes(self) -> None:
        """Copy the arrays that callbacks read to the host."""
        self._copy_stream.copy((_signed(self.host[name]), self._device_arrays[name]) for name in _REPORTED)

    def _allocate(self) -> None:
        shape, specs = self.shape, self._array_specs()
        self.host = {name: self._host_array(*specs[name]) for name in _REPORTED}
        self._device_arrays = {
            name: torch.zeros(size, dtype=_SIGNED.get(dtype, dtype), device=self.device)
            for name, (size, dtype) in specs.items()
        }
        self.inputs = {name: self._device_arrays[name] for name in INPUT_ARRAYS}
        self._outcomes = {name: self._device_arrays[name][1:] for name in shape.outcomes}
        self.actions = torch.zeros(
            (shape.steps, shape.rows, len(shape.spec.heads)), dtype=torch.int32, device=self.device
        )


def _signed(array: torch.Tensor) -> torch.Tensor:
    return array.view(_SIGNED.get(array.dtype, array.dtype))
