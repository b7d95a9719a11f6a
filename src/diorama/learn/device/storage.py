"""`SliceStorage`: a slice's part of a rollout, sliced once, and the copies that fill it."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

import torch

from diorama.learn.rollouts.rollout import Rollout


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
