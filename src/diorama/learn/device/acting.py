"""`ActingCopy`: the weights that decide while others are learned."""

from copy import deepcopy

import torch

from diorama.learn.policies.policy import Policy


class ActingCopy:
    """A copy of a policy that changes only when it is told to.

    Attributes:
        policy: The copy.
    """

    def __init__(self, policy: Policy) -> None:
        """Copy the policy as it stands."""
        self.policy = deepcopy(policy)
        self._pairs: list[tuple[torch.Tensor, torch.Tensor]] = [
            *zip(self.policy.parameters(), policy.parameters(), strict=True),
            *zip(self.policy.buffers(), policy.buffers(), strict=True),
        ]

    @torch.no_grad()
    def refresh(self) -> None:
        """Take over the weights as they stand."""
        for mine, learned in self._pairs:
            mine.copy_(learned)
