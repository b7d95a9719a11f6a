"""What a policy thinks of the decisions it takes, for worlds that tell it."""

from dataclasses import dataclass

from diorama.contracts.values import F32, I32


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyOutputs:
    """How sure a policy was of the decisions of one step.

    Attributes:
        actions: Rows × heads.
        log_probs: Of the options it took, rows × heads; 0 where a head did not matter.
        values: What it expects of each row.
        probabilities: Rows × options of all heads, each head's given what was chosen before it; None where whoever
            computed the policy keeps none.
    """

    actions: I32
    log_probs: F32
    values: F32
    probabilities: F32 | None
