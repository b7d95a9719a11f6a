"""What the ticks of one decision come to, seat by seat."""

from dataclasses import dataclass

from diorama.worlds.tidebreak.reference.reward import Reward


@dataclass(slots=True, kw_only=True)
class StepOutcome:
    """What a decision led to so far, one entry per seat in each list.

    Attributes:
        paid: Reward, None for an empty seat.
        ended: Whether the row's episode ended by the rules, and whether it was cut off.
        invalid: Orders whose precondition failed.
        ticks: How many have passed.
    """

    paid: list[Reward | None]
    ended: list[tuple[bool, bool]]
    invalid: list[int]
    ticks: int = 1

    def add(self, later: "StepOutcome") -> None:
        """Add what came after it; rewards are summed in the order of the ticks, and an end stays one."""
        for total, reward in zip(self.paid, later.paid, strict=True):
            if total is not None and reward is not None:
                total.add(reward)
        for seat, (terminated, truncated) in enumerate(later.ended):
            was_terminated, was_truncated = self.ended[seat]
            self.ended[seat] = was_terminated or terminated, was_truncated or truncated
        self.invalid = [total + count for total, count in zip(self.invalid, later.invalid, strict=True)]
        self.ticks += later.ticks
