"""`ShardStorage`: the rows of one shard in a rollout on the device."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import torch

from diorama.contracts.buffers import Buffers
from diorama.contracts.policy_outputs import PolicyOutputs
from diorama.contracts.resident import ResidentCore
from diorama.contracts.values import I32
from diorama.learn.buffer import RolloutBuffer
from diorama.learn.cuda.rollouts import STEP_INPUTS, DeviceRollout, ResidentRollout
from diorama.learn.envs import (
    ExtraArrays,
    HasExpert,
    ReceivesPolicyOutputs,
    TrainingEnvs,
    Wakeful,
    copy_snapshots,
    restore_copies,
)


@dataclass(frozen=True, slots=True)
class FinalObservations:
    """Final observations of truncated episodes; `rows` are indices within the shard."""

    rows: torch.Tensor
    obs: torch.Tensor
    obs_u8: torch.Tensor


class ShardStorage(ABC):
    """Rows of one shard in a rollout, and the copies that fill them.

    Attributes:
        rollout: The rollout.
        rows: The shard's rows of the rollout.
        actions: On the device, steps × the shard's rows × heads.
        log_probs: Likewise.
        values: On the device, (steps + 1) × the shard's rows.
        wants_policy_outputs: Whether the copies use log-probabilities and values of the policy.
        probabilities: Probabilities of all options of the last action, if the copies use them.
    """

    wants_policy_outputs: bool = False
    probabilities: torch.Tensor | None = None

    def __init__(self, rollout: RolloutBuffer, rows: slice) -> None:
        """Create views of the rollout."""
        self.rollout = rollout
        self.rows = rows
        self.actions, self.log_probs = rollout.actions[:, rows], rollout.log_probs[:, rows]
        self.values = rollout.values[:, rows]

    @abstractmethod
    def reset(self) -> None:
        """Start an episode in every copy."""

    @abstractmethod
    def restore(self, snapshots: Sequence[bytes]) -> None:
        """Continue every copy from its snapshot."""

    @abstractmethod
    def snapshots(self) -> list[bytes]:
        """Return the state of every copy."""

    @abstractmethod
    def load_inputs(self, step: torch.Tensor) -> tuple[dict[str, torch.Tensor], dict[str, torch.Tensor]]:
        """Return the current inputs and extra arrays on the device, by name, and store them in the rollout.

        A CUDA graph may record this, so `step` is a tensor on the device.
        """

    @abstractmethod
    def step(self, step: int) -> None:
        """Step every copy."""

    @abstractmethod
    def truncated_rows(self, step: int) -> FinalObservations | None:
        """Return the final observations of episodes that the step truncated; None if there are none."""

    def adopt(self) -> None:  # noqa: B027 - optional
        """Let the copies write into this rollout, from its first step on."""

    def send_actions(self, actions: torch.Tensor) -> None:  # noqa: B027 - optional
        """Copy actions to the copies without waiting; a CUDA graph may record this."""

    def send_policy_outputs(self, step: int) -> None:  # noqa: B027 - optional
        """Send log-probabilities and values of a step to copies that use them."""

    def awake(self) -> AbstractContextManager[None]:
        """Keep the threads of the environments, if there are any, from sleeping while the block runs."""
        return nullcontext()

    def expert_actions(self) -> torch.Tensor:
        """Return the actions of the world's expert, rows × heads."""
        raise AssertionError("copies on a device have no expert")


class _StreamedArray:
    """An array of the current step on the host, and its copies on the device: of this step and of all steps."""

    def __init__(self, host: torch.Tensor, all_steps: torch.Tensor) -> None:
        """Copy from `host` (rows) into `all_steps` (steps × rows)."""
        self.host = host
        self._all_steps = all_steps
        self._current = torch.zeros_like(all_steps[0])

    def send(self, step: torch.Tensor) -> torch.Tensor:
        """Return the rows on the device, and store them as those of a step.

        The copy does not wait: the rows on the host must not change until it is done.
        """
        if self._current.numel():
            self._current.copy_(self.host, non_blocking=True)
            self._all_steps.index_copy_(0, step, self._current[None])
        return self._current


class HostStorage(ShardStorage):
    """Copies on the host: inputs are sent to the device, actions come back."""

    def __init__(self, envs: TrainingEnvs, rollout: DeviceRollout, first_copy: int) -> None:
        """Write the rows of `envs` into a rollout, from copy `first_copy` on."""
        agents, steps = rollout.shape.spec.agents, rollout.shape.steps
        rows = slice(first_copy * agents, (first_copy + envs.copies) * agents)
        super().__init__(rollout, rows)
        self._envs = envs
        self.wants_policy_outputs = isinstance(envs, ReceivesPolicyOutputs) and envs.wants_policy_outputs
        self.buffers: list[Buffers] = [rollout.buffers(step, first_copy, envs.copies) for step in range(steps + 1)]
        self._host_actions = rollout.host_actions[rows]
        self._numpy_actions: I32 = self._host_actions.numpy()
        self._inputs = {
            name: _StreamedArray(rollout.host[name][rows], rollout.inputs[name][:, rows]) for name in STEP_INPUTS
        }
        self._extras = {
            name: _StreamedArray(array[rows], rollout.extras[name][:, rows])
            for name, array in rollout.host_extras.items()
        }

    def adopt(self) -> None:
        """Let the copies write into this rollout, from its first step on."""
        self._envs.adopt(self.buffers[0])

    def reset(self) -> None:
        """Start an episode in every copy."""
        self._envs.reset()
        self._copy_extras()

    def restore(self, snapshots: Sequence[bytes]) -> None:
        """Continue every copy from its snapshot."""
        restore_copies(self._envs, snapshots)
        self._copy_extras()

    def snapshots(self) -> list[bytes]:
        """Return the state of every copy."""
        return copy_snapshots(self._envs)

    def load_inputs(self, step: torch.Tensor) -> tuple[dict[str, torch.Tensor], dict[str, torch.Tensor]]:
        """Send the current inputs to the device."""
        inputs = {name: array.send(step) for name, array in self._inputs.items()}
        return inputs, {name: array.send(step) for name, array in self._extras.items()}

    def send_actions(self, actions: torch.Tensor) -> None:
        """Copy actions to the host without waiting."""
        self._host_actions.copy_(actions, non_blocking=True)

    def step(self, step: int) -> None:
        """Step every copy with the actions that were sent."""
        self._envs.step(self._numpy_actions, self.buffers[step + 1])
        self._copy_extras()

    def awake(self) -> AbstractContextManager[None]:
        """Keep the threads of the environments, if there are any, from sleeping while the block runs."""
        return self._envs.awake() if isinstance(self._envs, Wakeful) else nullcontext()

    def truncated_rows(self, step: int) -> FinalObservations | None:
        """Return the final observations of episodes that the step truncated, on the host."""
        buffers = self.buffers[step + 1]
        if not buffers.truncated.any():
            return None
        rows = torch.from_numpy(buffers.truncated.nonzero()[0])
        return FinalObservations(
            rows, torch.from_numpy(buffers.final_obs)[rows], torch.from_numpy(buffers.final_obs_u8)[rows]
        )

    def expert_actions(self) -> torch.Tensor:
        """Return the actions of the world's expert, rows × heads."""
        assert isinstance(self._envs, HasExpert)
        return torch.from_numpy(self._envs.expert_actions())

    def send_policy_outputs(self, step: int) -> None:
        """Send log-probabilities and values of a step, if the copies use them."""
        if self.wants_policy_outputs:
            assert isinstance(self._envs, ReceivesPolicyOutputs)
            log_probs, values = (array[step].cpu().numpy() for array in (self.log_probs, self.values))
            self._envs.on_policy_outputs(
                PolicyOutputs(
                    actions=self._numpy_actions,
                    log_probs=log_probs,
                    values=values,
                    probabilities=None if self.probabilities is None else self.probabilities.cpu().numpy(),
                )
            )

    def _copy_extras(self) -> None:
        for name, array in self._extras.items():
            assert isinstance(self._envs, ExtraArrays)
            array.host.copy_(torch.from_numpy(self._envs.extra(name)))


class ResidentStorage(ShardStorage):
    """Copies on the device: they write into the rollout and read their actions there."""

    def __init__(self, core: ResidentCore, rollout: ResidentRollout) -> None:
        """Fill all rows of a rollout."""
        super().__init__(rollout, slice(0, rollout.shape.rows))
        self._core = core
        self._resident = rollout
        self._rows = [rollout.device_rows(step) for step in range(rollout.shape.steps + 1)]

    def reset(self) -> None:
        """Start an episode in every copy."""
        self._core.open_all(self._rows[0])
        self._resident.start_fresh()

    def restore(self, snapshots: Sequence[bytes]) -> None:
        """Continue every copy from its snapshot."""
        self._core.restore_all(snapshots, self._rows[0])
        self._resident.start_fresh()

    def snapshots(self) -> list[bytes]:
        """Return the state of every copy."""
        return self._core.snapshots()

    def load_inputs(self, step: torch.Tensor) -> tuple[dict[str, torch.Tensor], dict[str, torch.Tensor]]:
        """Return the inputs of a step, which are on the device."""
        return {name: self.rollout.inputs[name].index_select(0, step)[0] for name in STEP_INPUTS}, {}

    def step(self, step: int) -> None:
        """Step every copy."""
        # Tensors made in inference mode could not be changed outside of it, for example by a restore.
        with torch.inference_mode(mode=False):
            self._core.step_all(self.actions[step], self._rows[step + 1])

    def truncated_rows(self, step: int) -> FinalObservations | None:
        """Return the final observations of episodes that the step truncated; waits for their number."""
        arrays = self._rows[step + 1]
        rows = arrays.truncated.nonzero()[:, 0]
        if not len(rows):
            return None
        return FinalObservations(rows, arrays.final_obs[rows], arrays.final_obs_u8[rows])
