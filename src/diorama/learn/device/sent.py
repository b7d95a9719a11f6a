"""`SentRollout`: a rollout of copies on the host whose rows are sent to the device at every step."""

from typing import Final, Self

import torch

from diorama.contracts.values import F32
from diorama.learn.device.aside import Aside
from diorama.learn.rollouts.rollout import ONE_FOR_ALL_STEPS, OUTCOMES, SHOWN, Rollout, RolloutShape

SENT: Final = ("obs", "obs_u8", "masks", "episode_start")  # what decisions are made from
_NEWEST: Final = ONE_FOR_ALL_STEPS | set(SENT)


class SentRollout(Rollout):
    """A rollout that is kept on the device; of what decisions are made from, the host holds the step just taken.

    The rows are with the device before its decision is, so the core may write over them in the step that follows: they
    stay in the processor's caches, and always in the same place, so that sending them can be recorded. What the last
    step shows is what the next rollout begins with. Likewise `host_actions` (rows × heads) and `host_extras` (rows ×
    width) are those of one step.
    """

    def __init__(self, shape: RolloutShape, device: torch.device, beside: Self | None = None) -> None:
        """Allocate everything; a rollout that is filled in turn with another shares with it what is always the newest.

        Args:
            shape: How large it is.
            device: Of the policy; even on the CPU nothing is learned from memory that the core writes.
            beside: The other one.
        """
        self._aside = Aside(device)
        self._beside = beside
        super().__init__(shape, device)
        self.is_apart = True
        if beside is not None:
            self.memory = beside.memory

    @property
    def openings(self) -> torch.Tensor:
        """Which rows open an episode with their next decision, on the host; one for each row."""
        return self.host["episode_start"]

    def observed(self, step: int) -> F32:
        """Return the float observations a decision was taken from, brought back beside whatever is being learned."""
        return self._aside.bring(self.seen["obs"][step])

    def turn_over(self, into: Rollout | None = None) -> None:
        """Make the end of this rollout the beginning of the next."""
        (into or self).host["alive"][0] = self.host["alive"][-1]

    def share_outcomes(self) -> None:
        """Bring to the device what only learning looks at."""
        outcomes = [(there, self.host[name][1:]) for name, there in self._outcomes.items()]
        self._aside.copy([(self.seen["alive"], self.host["alive"]), *outcomes])

    def _at(self, name: str, step: int) -> torch.Tensor:
        return self.host[name] if name in _NEWEST else self.host[name][step]

    def _allocate(self) -> None:
        described, steps, rows = self._described(), self.shape.steps, self.shape.rows
        device, heads = self.device, len(self.shape.spec.heads)
        extras = self.shape.extras.items()
        self.host = {name: self._host_array(*item) for name, item in described.items() if name not in _NEWEST}
        if self._beside is None:
            newest = {name: described[name] for name in ONE_FOR_ALL_STEPS}
            newest |= {name: (size[1:], dtype) for name, (size, dtype) in described.items() if name in SENT}
            self.host |= {name: self._host_array(*item) for name, item in newest.items()}
            self.host_actions = self._host_array((rows, heads), torch.int32)
            self.host_extras = {name: self._host_array((rows, extra.width), extra.dtype) for name, extra in extras}
        else:
            self.host |= {name: self._beside.host[name] for name in _NEWEST}
            self.host_actions, self.host_extras = self._beside.host_actions, self._beside.host_extras
        self.seen = {
            name: torch.zeros(size, dtype=dtype, device=device)
            for name, (size, dtype) in described.items()
            if name in SHOWN
        }
        self._outcomes = {name: torch.zeros_like(self.host[name][1:], device=device) for name in OUTCOMES}
        self.extras = {
            name: torch.zeros(steps + 1, rows, extra.width, dtype=extra.dtype, device=device) for name, extra in extras
        }
        self.actions = torch.zeros(steps, rows, heads, dtype=torch.int32, device=device)
