"""What policies have learned, opponent by opponent: beside bars, and beyond the clones that they began as."""

from collections.abc import Sequence

import numpy as np

from diorama.contracts.values import F64, JsonObject, JsonValue
from diorama.learn.evaluation.bootstrap import crossed_interval

WHOLE = "all"


def beside_clones(opponents: Sequence[str], training_seeds: Sequence[int], learned: F64, clones: F64) -> JsonObject:
    """Return the scores of policies beside those of their own clones, with intervals of the paired differences.

    Args:
        opponents: Names of the scripts; none in a world without opponents.
        training_seeds: Of the policies.
        learned: Scores of the policies, training seeds × opponents (or one) × episodes.
        clones: Scores of their clones in the same episodes.
    """
    names = opponents or (WHOLE,)
    rows = [_row(name, training_seeds, learned[:, index], clones[:, index]) for index, name in enumerate(names)]
    total = _row("sum", training_seeds, learned.sum(axis=1), clones.sum(axis=1))
    behind: list[JsonValue] = [
        {"opponent": name, "seed": seed}
        for index, name in enumerate(names)
        for seed, ours, before in zip(training_seeds, learned[:, index], clones[:, index], strict=True)
        if ours.mean() < before.mean()
    ]
    return {"by_opponent": list(rows), "sum": total, "behind": behind}


def against_row(label: str, floor: float, training_seeds: Sequence[int], learned: F64) -> JsonObject:
    """Return the score against one opponent with its interval, and the training seeds that stay below a floor.

    Args:
        label: Of the opponent.
        floor: What every training seed must score.
        training_seeds: Of the policies.
        learned: Scores, training seeds × episodes.
    """
    low, high = crossed_interval(learned)
    seeds = dict(zip(training_seeds, learned.mean(axis=1).tolist(), strict=True))
    return {
        "opponent": label,
        "floor": floor,
        "score": float(learned.mean()),
        "interval": [low, high],
        "by_training_seed": list(seeds.values()),
        "below": [seed for seed, score in seeds.items() if score < floor],
    }


def _row(name: str, training_seeds: Sequence[int], learned: F64, clones: F64) -> JsonObject:
    seeds: list[JsonValue] = [
        {"seed": seed, **_compared(ours[None], before[None])}
        for seed, ours, before in zip(training_seeds, learned, clones, strict=True)
    ]
    return {"opponent": name, **_compared(learned, clones), "by_training_seed": seeds}


def _compared(learned: F64, clones: F64) -> JsonObject:
    low, high = crossed_interval(np.asarray(learned - clones))
    return {
        "learned": float(learned.mean()),
        "clone": float(clones.mean()),
        "ahead": float(learned.mean() - clones.mean()),
        "ahead_interval": [low, high],
    }
