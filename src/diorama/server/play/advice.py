"""What a trained policy would do: its probabilities for the present decision of a session."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from diorama.contracts.errors import ConfigError
from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8
from diorama.runs.replays.scene import Scene
from diorama.server.play.policies import ShelvedPolicy
from diorama.server.play.session import Session

if TYPE_CHECKING:
    import torch

_SEEN_AT_ONCE: Final = 256  # decisions a memory is led through with one call
_ABOVE_ONE: Final = 1.001


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What a policy thinks; `probabilities` has one list per head, every other head taken as in `decision`."""

    decision: Decision
    probabilities: tuple[tuple[float, ...], ...]
    value: float


class Advisor:
    """One policy that follows one session; one with memory has seen every decision the seat has taken."""

    def __init__(self, shelved: ShelvedPolicy) -> None:
        """Begin with an empty memory.

        Raises:
            ConfigError: The policy needs more than a play session can show it.
        """
        if shelved.policy.heads.plan.mask_extras:
            raise ConfigError(f"the policy of run {shelved.run_id!r} needs extra arrays, which sessions do not have")
        self.shelved = shelved
        self._follower: _Follower | None = None

    def advise(self, session: Session) -> Advice:
        """Return what the policy thinks of the session's next decision."""
        import torch

        policy, seat = self.shelved.policy, session.setting.seat
        obs, obs_u8, masks = session.scene.view
        with torch.inference_mode():
            memory = torch.zeros(1, policy.memory_width)
            if policy.memory_width:
                memory = self._followed(session).memory_before(session)
            starts = torch.full((1, 1), seat in session.scene.arrivals, dtype=torch.uint8)
            features, _ = policy.features(_tensor(obs[[seat]]), _tensor(obs_u8[[seat]]), memory, starts)
            mask = _tensor(masks[[seat]]) if session.setting.spec.has_mask else None
            decision, probabilities = _consider(self.shelved, features.actor, mask)
            return Advice(decision=decision, probabilities=probabilities, value=float(policy.values(features)[0]))

    def close(self) -> None:
        """Free what was needed to follow."""
        if self._follower is not None:
            self._follower.close()
            self._follower = None

    def _followed(self, session: Session) -> "_Follower":
        if self._follower is not None and self._follower.rewrites != session.rewrites:
            self.close()
        if self._follower is None:
            self._follower = _Follower(self.shelved, session)
        return self._follower


class _Follower:
    """Takes the decisions of a session again, to show a policy with memory what the seat has seen."""

    def __init__(self, shelved: ShelvedPolicy, session: Session) -> None:
        import torch

        self.rewrites = session.rewrites
        self._policy = shelved.policy
        self._seat = session.setting.seat
        self._scene = Scene(session.setting.venue, session.seed)
        self._steps = 0
        self._memory = torch.zeros(1, shelved.policy.memory_width)

    def memory_before(self, session: Session) -> "torch.Tensor":
        """Return the memory before the next decision."""
        decisions = session.decisions()
        while self._steps < len(decisions):
            self._see(decisions[self._steps : self._steps + _SEEN_AT_ONCE])
        return self._memory

    def close(self) -> None:
        """Free the copy."""
        self._scene.close()

    def _see(self, decisions: "np.ndarray[tuple[int, ...], np.dtype[np.int32]]") -> None:
        import torch

        seen: list[tuple[F32, U8]] = []
        starts = torch.zeros(len(decisions), 1, dtype=torch.uint8)
        for place, rows in enumerate(decisions):
            starts[place] = self._seat in self._scene.arrivals
            obs, obs_u8, _ = self._scene.view
            seen.append((obs[self._seat].copy(), obs_u8[self._seat].copy()))
            self._scene.step(rows)
        floats, codes = (_tensor(np.stack(rows)) for rows in zip(*seen, strict=True))
        _, self._memory = self._policy.features(floats, codes, self._memory, starts)
        self._steps += len(decisions)


def _consider(
    shelved: ShelvedPolicy, features: "torch.Tensor", mask: "torch.Tensor | None"
) -> tuple[Decision, tuple[tuple[float, ...], ...]]:
    """Return the likeliest decision, and every head's probabilities given the others of that decision."""
    import torch

    from diorama.learn.sampling import Drawing

    heads, layout = shelved.policy.heads, shelved.policy.heads.plan.layout
    none = (0.0,) * len(layout.sizes)
    best = torch.zeros(1, len(layout.sizes), dtype=torch.int32)
    heads.choose(
        features, mask, {}, Drawing(exploration=none, key=None), actions=best, log_probs=torch.zeros(best.shape)
    )
    probabilities = []
    for head, size in enumerate(layout.sizes):
        options = best.repeat(size, 1)
        options[:, head] = torch.arange(size, dtype=torch.int32)
        repeated = None if mask is None else mask.repeat(size, 1)
        scores = heads.score(features.repeat(size, 1), repeated, {}, options, none)
        shares = scores.log_probs[:, head].exp()
        # A head that does not matter, or has no valid option, scores 0 for every option: only its choice is told.
        if float(shares.sum()) > _ABOVE_ONE:
            shares = torch.nn.functional.one_hot(best[0, head].long(), size).float()
        probabilities.append(tuple(shares.tolist()))
    return tuple(best[0].tolist()), tuple(probabilities)


def _tensor(array: "np.ndarray[tuple[int, ...], np.dtype[np.generic]]") -> "torch.Tensor":
    import torch

    return torch.from_numpy(np.ascontiguousarray(array))
