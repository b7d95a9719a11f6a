"""What is told with each decision of a learned policy: how sure it was of every head, and what else it weighed."""

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from diorama.contracts.policy_outputs import PolicyOutputs
from diorama.contracts.values import F32
from diorama.worlds.morphogenesis.contracts.actions import CAUSAL_RELEVANCE, HEAD_NAMES, LifecycleOp, head_sizes
from diorama.worlds.morphogenesis.contracts.payloads.analysis import HeadTelemetry, OpAlternative
from diorama.worlds.morphogenesis.engine.tellers import DecisionNotes

ALTERNATIVES: Final = 2
OP: Final = HEAD_NAMES.index("op")
TOLD_AS: Final = {"alpha_curve": "curve"}
"""Heads that are called otherwise in what is told."""


def notes_on(thoughts: PolicyOutputs, *, slots: int) -> dict[int, DecisionNotes]:
    """Return what a policy says about its decisions, by row."""
    bounds = np.cumsum(head_sizes(slots))[:-1]
    rows = zip(thoughts.actions.tolist(), thoughts.log_probs.tolist(), thoughts.values.tolist(), strict=True)
    notes: dict[int, DecisionNotes] = {}
    for row, (action, log_probs, value) in enumerate(rows):
        chances = None if thoughts.probabilities is None else np.split(thoughts.probabilities[row], bounds)
        notes[row] = _notes(action[OP], log_probs, value, chances)
    return notes


def _notes(op: int, log_probs: list[float], value: float, chances: list[F32] | None) -> DecisionNotes:
    confidence = math.exp(log_probs[OP])
    if chances is None:
        return DecisionNotes(action_confidence=confidence, value_estimate=value)
    matters = CAUSAL_RELEVANCE[op]
    entropies = [_entropy(chance) if matters[head] else 0.0 for head, chance in enumerate(chances)]
    heads: dict[str, float] = {}
    for head, name in enumerate(HEAD_NAMES):
        told = TOLD_AS.get(name, name)
        heads[f"{told}_confidence"] = math.exp(log_probs[head]) if matters[head] else 1.0
        heads[f"{told}_entropy"] = entropies[head]
    return DecisionNotes(
        action_confidence=confidence,
        value_estimate=value,
        head_telemetry=HeadTelemetry(**heads),
        alternatives=tuple(_alternatives(op, chances[OP])),
        decision_entropy=sum(entropies),
    )


def _entropy(chance: F32) -> float:
    possible = chance[chance > 0.0].astype(np.float64)
    return max(0.0, float(-(possible * np.log(possible)).sum()))


def _alternatives(op: int, chance: F32) -> Iterator[OpAlternative]:
    others = [other for other in np.argsort(-chance, kind="stable").tolist() if other != op and chance[other] > 0.0]
    for other in others[:ALTERNATIVES]:
        yield OpAlternative(op=LifecycleOp(other).name, probability=float(chance[other]))
