"""What a trained policy would do: its probabilities for the present decision of a session."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from diorama.contracts.errors import ConfigError
from diorama.contracts.records import Decision
from diorama.server.play.following import Follower, tensor_of
from diorama.server.play.policies import ShelvedPolicy
from diorama.server.play.session import Session

if TYPE_CHECKING:
    import torch

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
        self._follower = Follower(shelved.policy)

    def advise(self, session: Session) -> Advice:
        """Return what the policy thinks of the session's next decision.

        Raises:
            SessionConflict: A policy with memory has too many decisions to look at first; asking again goes on.
        """
        import torch

        policy, seat = self.shelved.policy, session.setting.seat
        obs, obs_u8, masks = session.scene.view
        with torch.inference_mode():
            memory = torch.zeros(1, policy.memory_width)
            if policy.memory_width:
                memory = self._follower.memory_before(session)
            starts = torch.full((1, 1), seat in session.scene.arrivals, dtype=torch.uint8)
            features, _ = policy.features(tensor_of(obs[[seat]]), tensor_of(obs_u8[[seat]]), memory, starts)
            mask = tensor_of(masks[[seat]]) if session.setting.spec.has_mask else None
            decision, probabilities = _consider(self.shelved, features.actor, mask)
            return Advice(decision=decision, probabilities=probabilities, value=float(policy.values(features)[0]))

    def distance(self, session: Session) -> int:
        """Return how many decisions of the session must be taken again before the policy can say something."""
        return self._follower.distance(session) if self.shelved.policy.memory_width else 0

    def close(self) -> None:
        """Free what was needed to follow."""
        self._follower.close()


def _consider(
    shelved: ShelvedPolicy, features: "torch.Tensor", mask: "torch.Tensor | None"
) -> tuple[Decision, tuple[tuple[float, ...], ...]]:
    """Return the likeliest decision, and every head's probabilities given the others of that decision."""
    import torch

    from diorama.learn.policies.distributions import ActionSampling

    heads, layout = shelved.policy.heads, shelved.policy.heads.plan.layout
    none = (0.0,) * len(layout.sizes)
    best = torch.zeros(1, len(layout.sizes), dtype=torch.int32)
    heads.sample(
        features, mask, {}, ActionSampling(exploration=none, key=None), actions=best, log_probs=torch.zeros(best.shape)
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
