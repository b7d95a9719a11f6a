"""Outputs of a policy beside its actions, for worlds that report them."""

from dataclasses import dataclass

from diorama.contracts.values import F32, I32


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyOutputs:
    """Log probabilities and values of a policy in one step.

    Attributes:
        actions: Rows × heads.
        log_probs: Of the chosen options, rows × heads; 0 where a head did not matter.
        values: Of the critic, one per row.
        probabilities: Rows × options of all heads, each head's given the heads chosen before it; None where the
            actor does not keep them.
    """

    actions: I32
    log_probs: F32
    values: F32
    probabilities: F32 | None
