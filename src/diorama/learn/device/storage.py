"""A slice's part of a rollout, sliced once, and the copies that fill it: on the host, or on the device itself."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import torch

from diorama.contracts.buffers import Buffers
from diorama.contracts.resident import ResidentCore
from diorama.contracts.thoughts import Thoughts
from diorama.contracts.values import I32
from diorama.learn.device.resident import ResidentRollout
from diorama.learn.rollout import SHOWN, Rollout
from diorama.learn.source import Advised, ExtraArrays, HearsDecisions, Source, copy_snapshots, restore_copies

DECIDED_FROM: Final = ("obs", "obs_u8", "masks", "episode_start")


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

    def __init__(self, rollout: Rollout, rows: slice) -> None:
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
    def show(self, step: int) -> None:
        """Start to bring what the copies show at a step to the device."""

    @abstractmethod
    def take_in(self, place: torch.Tensor) -> tuple[dict[str, torch.Tensor], dict[str, torch.Tensor]]:
        """Return what the copies show at a step and the extra arrays, by name; this may be recorded."""

    @abstractmethod
    def answer(self, step: int) -> None:
        """Start to bring the actions of a step to where the copies read them."""

    @abstractmethod
    def step(self, step: int) -> None:
        """Step every copy with the actions that were brought."""

    @abstractmethod
    def cut_off(self, step: int) -> LastSeen | None:
        """Return what was seen last where the step has cut episodes off; None where it has not."""

    @abstractmethod
    def advise(self) -> torch.Tensor:
        """Return what the world's own controller would do now, rows × heads."""

    @abstractmethod
    def explain(self, step: int) -> None:
        """Tell copies that want to know it how sure the policy was of a step."""


@dataclass(frozen=True, slots=True)
class _Sent:
    """A run of rows and where it goes."""

    rows: torch.Tensor
    there: torch.Tensor

    def send(self) -> None:
        """Start the copy; the rows must stay as they are until it is done."""
        self.there.copy_(self.rows, non_blocking=True)


class HostStorage(SliceStorage):
    """Copies on the host, whose rows are sent to the device and whose actions come back."""

    def __init__(self, source: Source, rollout: Rollout, first_copy: int) -> None:
        """Cut the views."""
        agents, steps = rollout.shape.spec.agents, rollout.shape.steps
        rows = slice(first_copy * agents, (first_copy + source.copies) * agents)
        super().__init__(rollout, rows)
        self._source = source
        self.is_heard = isinstance(source, HearsDecisions) and source.hears_decisions
        self.buffers: list[Buffers] = [rollout.buffers(step, first_copy, source.copies) for step in range(steps + 1)]
        self._shown = [_sent(rollout, step, rows) for step in range(steps + 1)]
        self._answers = [_Sent(rollout.actions[step, rows], rollout.host_actions[step, rows]) for step in range(steps)]
        self._actions: list[I32] = [answer.there.numpy() for answer in self._answers]
        self._columns = {name: rollout.seen[name][:, rows] for name in DECIDED_FROM}
        self._extras = {name: array[:, rows] for name, array in rollout.extras.items()}

    def adopt(self) -> None:
        """Let the copies write into the beginning of the rollout."""
        self._source.adopt(self.buffers[0])

    def open(self) -> None:
        """Open an episode in every copy."""
        self._source.reset()
        self._put_extras(0)

    def restore(self, snapshots: Sequence[bytes]) -> None:
        """Continue every copy from its snapshot."""
        restore_copies(self._source, snapshots)
        self._put_extras(0)

    def snapshots(self) -> list[bytes]:
        """Return the state of every copy."""
        return copy_snapshots(self._source)

    def show(self, step: int) -> None:
        """Start to send what the core wrote for a step."""
        for item in self._shown[step]:
            item.send()

    def take_in(self, place: torch.Tensor) -> tuple[dict[str, torch.Tensor], dict[str, torch.Tensor]]:
        """Return what was sent for a step."""
        seen = {name: array.index_select(0, place)[0] for name, array in self._columns.items()}
        return seen, {name: array.index_select(0, place)[0] for name, array in self._extras.items()}

    def answer(self, step: int) -> None:
        """Start to bring the actions of a step to the host."""
        self._answers[step].send()

    def step(self, step: int) -> None:
        """Step every copy."""
        self._source.step(self._actions[step], self.buffers[step + 1])
        self._put_extras(step + 1)

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
            assert isinstance(self._source, HearsDecisions)
            log_probs, values = (array[step].cpu().numpy() for array in (self.log_probs, self.values))
            chances = None if self.likelihoods is None else self.likelihoods.cpu().numpy()
            self._source.hear_decisions(
                Thoughts(actions=self._actions[step], log_probs=log_probs, values=values, probabilities=chances)
            )

    def _put_extras(self, step: int) -> None:
        for name, array in self.rollout.host_extras.items():
            assert isinstance(self._source, ExtraArrays)
            array[step, self.rows] = torch.from_numpy(self._source.extra(name))


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

    def show(self, step: int) -> None:
        """Do nothing: everything is there."""

    def take_in(self, place: torch.Tensor) -> tuple[dict[str, torch.Tensor], dict[str, torch.Tensor]]:
        """Return what lies on the device already."""
        return {name: self.rollout.seen[name].index_select(0, place)[0] for name in DECIDED_FROM}, {}

    def answer(self, step: int) -> None:
        """Do nothing: the actions are where they are read."""

    def step(self, step: int) -> None:
        """Step every copy."""
        self._core.step_all(self.chosen[step], self._rows[step + 1])

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


def _sent(rollout: Rollout, step: int, rows: slice) -> list[_Sent]:
    pairs = [(rollout.host[name], rollout.seen[name]) for name in SHOWN]
    pairs += [(array, rollout.extras[name]) for name, array in rollout.host_extras.items()]
    found = [_Sent(host[step, rows], there[step, rows]) for host, there in pairs]
    return [item for item in found if item.rows.numel()]
