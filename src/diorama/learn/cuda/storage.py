"""Storage of a slice of copies beside a device."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import torch

from diorama.contracts.buffers import Buffers
from diorama.contracts.resident import ResidentCore
from diorama.contracts.thoughts import PolicyOutputs
from diorama.contracts.values import I32
from diorama.learn.buffer import RolloutBuffer
from diorama.learn.cuda.rollouts import SENT, ResidentRollout, SentRollout
from diorama.learn.envs import (
    Advised,
    ExtraArrays,
    ReceivesPolicyOutputs,
    TrainingEnvs,
    Wakeful,
    copy_snapshots,
    restore_copies,
)


@dataclass(frozen=True, slots=True)
class LastSeen:
    """What rows whose episode was cut off saw last; `places` count in the slice."""

    places: torch.Tensor
    obs: torch.Tensor
    obs_u8: torch.Tensor


class SliceStorage(ABC):
    """Rows of some copies in one rollout.

    Attributes:
        rollout: The rollout.
        rows: Which of its rows.
        chosen: Decisions on the device, steps × the slice's rows × heads; so are `log_probs` and `values`.
        is_heard: Whether the copies want to know how sure the policy was.
        likelihoods: How likely every option was in the decision just taken, where they do.
    """

    is_heard: bool = False
    likelihoods: torch.Tensor | None = None

    def __init__(self, rollout: RolloutBuffer, rows: slice) -> None:
        """Cut the views."""
        self.rollout = rollout
        self.rows = rows
        self.chosen, self.log_probs = rollout.actions[:, rows], rollout.log_probs[:, rows]
        self.values = rollout.values[:, rows]

    @abstractmethod
    def adopt(self) -> None:
        """Let the copies write into the beginning of the rollout."""

    @abstractmethod
    def open(self) -> None:
        """Open an episode in every copy."""

    @abstractmethod
    def restore(self, snapshots: Sequence[bytes]) -> None:
        """Continue every copy from its snapshot."""

    @abstractmethod
    def snapshots(self) -> list[bytes]:
        """Return the state of every copy."""

    @abstractmethod
    def take_in(self, place: torch.Tensor) -> tuple[dict[str, torch.Tensor], dict[str, torch.Tensor]]:
        """Return what the copies show now and the extra arrays, by name, and keep them as those of a step.

        This may be recorded; the step is a number on the device.
        """

    @abstractmethod
    def answer(self, actions: torch.Tensor) -> None:
        """Start to bring actions to where the copies read them; this may be recorded."""

    @abstractmethod
    def step(self, step: int) -> None:
        """Step every copy with the actions that were brought."""

    @abstractmethod
    def awake(self) -> AbstractContextManager[None]:
        """Keep whoever steps the copies from sleeping between steps, inside the block."""

    @abstractmethod
    def cut_off(self, step: int) -> LastSeen | None:
        """Return what was seen last where the step has cut episodes off; None where it has not."""

    @abstractmethod
    def advise(self) -> torch.Tensor:
        """Return what the world's own controller would do now, rows × heads."""

    @abstractmethod
    def explain(self, step: int) -> None:
        """Tell copies that want to know it how sure the policy was of a step."""


class _Sent:
    """Rows on the host and where they go: the newest on the device, and those of every step."""

    def __init__(self, here: torch.Tensor, every: torch.Tensor) -> None:
        """Take the rows, and steps × rows on the device."""
        self.here = here
        self._every = every
        self._newest = torch.zeros_like(every[0])

    def send(self, place: torch.Tensor) -> torch.Tensor:
        """Return the newest rows on the device, and keep them as those of a step.

        The host's rows must stay as they are until that is done.
        """
        if self._newest.numel():
            self._newest.copy_(self.here, non_blocking=True)
            self._every.index_copy_(0, place, self._newest[None])
        return self._newest


class HostStorage(SliceStorage):
    """Copies on the host, whose rows are sent to the device and whose actions come back."""

    def __init__(self, source: TrainingEnvs, rollout: SentRollout, first_copy: int) -> None:
        """Cut the views."""
        agents, steps = rollout.shape.spec.agents, rollout.shape.steps
        rows = slice(first_copy * agents, (first_copy + source.copies) * agents)
        super().__init__(rollout, rows)
        self._source = source
        self.is_heard = isinstance(source, ReceivesPolicyOutputs) and source.wants_policy_outputs
        self.buffers: list[Buffers] = [rollout.buffers(step, first_copy, source.copies) for step in range(steps + 1)]
        self._answer = rollout.host_actions[rows]
        self._actions: I32 = self._answer.numpy()
        self._shown = {name: _Sent(rollout.host[name][rows], rollout.seen[name][:, rows]) for name in SENT}
        self._extras = {
            name: _Sent(array[rows], rollout.extras[name][:, rows]) for name, array in rollout.host_extras.items()
        }

    def adopt(self) -> None:
        """Let the copies write into the beginning of the rollout."""
        self._source.adopt(self.buffers[0])

    def open(self) -> None:
        """Open an episode in every copy."""
        self._source.reset()
        self._put_extras()

    def restore(self, snapshots: Sequence[bytes]) -> None:
        """Continue every copy from its snapshot."""
        restore_copies(self._source, snapshots)
        self._put_extras()

    def snapshots(self) -> list[bytes]:
        """Return the state of every copy."""
        return copy_snapshots(self._source)

    def take_in(self, place: torch.Tensor) -> tuple[dict[str, torch.Tensor], dict[str, torch.Tensor]]:
        """Send what the core wrote last."""
        shown = {name: item.send(place) for name, item in self._shown.items()}
        return shown, {name: item.send(place) for name, item in self._extras.items()}

    def answer(self, actions: torch.Tensor) -> None:
        """Start to bring actions to the host."""
        self._answer.copy_(actions, non_blocking=True)

    def step(self, step: int) -> None:
        """Step every copy."""
        self._source.step(self._actions, self.buffers[step + 1])
        self._put_extras()

    def awake(self) -> AbstractContextManager[None]:
        """Keep the source awake, if it has threads of its own."""
        return self._source.awake() if isinstance(self._source, Wakeful) else nullcontext()

    def cut_off(self, step: int) -> LastSeen | None:
        """Look for cut-off rows on the host."""
        buffers = self.buffers[step + 1]
        if not buffers.truncated.any():
            return None
        places = torch.from_numpy(buffers.truncated.nonzero()[0])
        return LastSeen(
            places, torch.from_numpy(buffers.final_obs)[places], torch.from_numpy(buffers.final_obs_u8)[places]
        )

    def advise(self) -> torch.Tensor:
        """Ask the source."""
        assert isinstance(self._source, Advised)
        return torch.from_numpy(self._source.advise())

    def explain(self, step: int) -> None:
        """Tell the source, if it wants to know."""
        if self.is_heard:
            assert isinstance(self._source, ReceivesPolicyOutputs)
            log_probs, values = (array[step].cpu().numpy() for array in (self.log_probs, self.values))
            chances = None if self.likelihoods is None else self.likelihoods.cpu().numpy()
            self._source.on_policy_outputs(
                PolicyOutputs(actions=self._actions, log_probs=log_probs, values=values, probabilities=chances)
            )

    def _put_extras(self) -> None:
        for name, item in self._extras.items():
            assert isinstance(self._source, ExtraArrays)
            item.here.copy_(torch.from_numpy(self._source.extra(name)))


class ResidentStorage(SliceStorage):
    """Copies on the device: they write into the rollout and read their actions there."""

    def __init__(self, core: ResidentCore, rollout: ResidentRollout) -> None:
        """Cut the views."""
        super().__init__(rollout, slice(0, rollout.shape.rows))
        self._core = core
        self._resident = rollout
        self._rows = [rollout.rows_of(step) for step in range(rollout.shape.steps + 1)]

    def adopt(self) -> None:
        """Do nothing: the copies are told at every step where to write."""

    def open(self) -> None:
        """Open an episode in every copy."""
        self._core.open_all(self._rows[0])
        self._resident.forget()

    def restore(self, snapshots: Sequence[bytes]) -> None:
        """Continue every copy from its snapshot."""
        self._core.restore_all(snapshots, self._rows[0])
        self._resident.forget()

    def snapshots(self) -> list[bytes]:
        """Return the state of every copy."""
        return self._core.snapshots()

    def take_in(self, place: torch.Tensor) -> tuple[dict[str, torch.Tensor], dict[str, torch.Tensor]]:
        """Return what lies on the device already."""
        return {name: self.rollout.seen[name].index_select(0, place)[0] for name in SENT}, {}

    def answer(self, actions: torch.Tensor) -> None:
        """Do nothing: the actions are where they are read."""

    def step(self, step: int) -> None:
        """Step every copy, with tensors that may be changed outside of training as well."""
        with torch.inference_mode(mode=False):
            self._core.step_all(self.chosen[step], self._rows[step + 1])

    def awake(self) -> AbstractContextManager[None]:
        """Do nothing: the device does not sleep."""
        return nullcontext()

    def cut_off(self, step: int) -> LastSeen | None:
        """Look for cut-off rows; of the device nothing but their number is asked."""
        rows = self._rows[step + 1]
        places = rows.truncated.nonzero()[:, 0]
        if not len(places):
            return None
        return LastSeen(places, rows.final_obs[places], rows.final_obs_u8[places])

    def advise(self) -> torch.Tensor:
        """Have no controller."""
        raise AssertionError("copies on a device have no controller of their own")

    def explain(self, step: int) -> None:
        """Do nothing: nobody there wants to know."""
