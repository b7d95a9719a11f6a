"""`HostStorage`: the slice of copies that live on the host."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext

import torch

from diorama.contracts.buffers import Buffers
from diorama.contracts.thoughts import Thoughts
from diorama.contracts.values import I32
from diorama.learn.device.sent import SENT, SentRollout
from diorama.learn.device.storage import LastSeen, SliceStorage
from diorama.learn.rollouts.source import (
    Advised,
    ExtraArrays,
    HearsDecisions,
    Source,
    Wakeful,
    copy_snapshots,
    restore_copies,
)


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

    def __init__(self, source: Source, rollout: SentRollout, first_copy: int) -> None:
        """Cut the views."""
        agents, steps = rollout.shape.spec.agents, rollout.shape.steps
        rows = slice(first_copy * agents, (first_copy + source.copies) * agents)
        super().__init__(rollout, rows)
        self._source = source
        self.is_heard = isinstance(source, HearsDecisions) and source.hears_decisions
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
            assert isinstance(self._source, HearsDecisions)
            log_probs, values = (array[step].cpu().numpy() for array in (self.log_probs, self.values))
            chances = None if self.likelihoods is None else self.likelihoods.cpu().numpy()
            self._source.hear_decisions(
                Thoughts(actions=self._actions, log_probs=log_probs, values=values, probabilities=chances)
            )

    def _put_extras(self) -> None:
        for name, item in self._extras.items():
            assert isinstance(self._source, ExtraArrays)
            item.here.copy_(torch.from_numpy(self._source.extra(name)))
