"""Checks of the gates in words, for people who decide."""

import re
from collections.abc import Sequence
from typing import Final

_WORDS: Final[Sequence[tuple[re.Pattern[str], str]]] = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"insufficient_training_(\d+)_of_(\d+)", r"it has trained \1 of \2 epochs"),
        (r"insufficient_blending_(\d+)_of_(\d+)", r"it has blended for \1 of \2 epochs"),
        (r"gradient_health_not_measured", "its gradients are not measured yet"),
        (r"exploding_gradients", "its gradients explode"),
        (r"gradient_health_low_([\d.]+)", r"the health of its gradients is \1"),
        (r"improvement_insufficient_(-?[\d.]+)", r"it has brought \1 points since the stage began"),
        (r"seed_gradient_low_(\S+)", r"its gradients are weak beside the host's (\1)"),
        (r"alpha_target_not_full_([\d.]+)", r"it is bound for a strength of \1, not for all"),
        (r"alpha_not_at_target", "its alpha is still on the way"),
        (r"counterfactual_not_available", "its contribution is not measured yet"),
        (r"insufficient_contribution_(-?[\d.]+)", r"its contribution is \1 points"),
        (r"unhealthy", "its numbers are not sound"),
    )
)


def in_words(refusal: str) -> str:
    """Return a refusal with every check of a gate in words; what is no check stays as it is."""
    return ", ".join(_check(part) for part in refusal.split(", "))


def _check(label: str) -> str:
    for pattern, words in _WORDS:
        match = pattern.fullmatch(label)
        if match is not None:
            return match.expand(words)
    return label
