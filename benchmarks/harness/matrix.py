"""The throughput matrix: which candidates there are, what each mode's best and floor are, what is missing."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from diorama.contracts.values import JsonObject
from harness.modes import Candidate, Measurement, Mode

TARGET_STEPS_PER_SEC = 100_000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The repeats of one candidate in one mode."""

    mode: Mode
    candidate: Candidate
    repeats: tuple[Measurement, ...]

    @property
    def mean(self) -> float:
        """Mean steps per second of the repeats."""
        return sum(repeat.steps_per_sec for repeat in self.repeats) / len(self.repeats)

    @property
    def lowest(self) -> float:
        """Steps per second of the slowest repeat."""
        return min(repeat.steps_per_sec for repeat in self.repeats)

    def to_json(self) -> JsonObject:
        """Return it as it stands in a report."""
        return {
            "mode": self.mode.value,
            "candidate": self.candidate.to_json(),
            "mean_steps_per_sec": self.mean,
            "lowest_steps_per_sec": self.lowest,
            "repeats": [repeat.to_json() for repeat in self.repeats],
        }


def candidates_for(
    mode: Mode,
    world: str,
    *,
    tiers: Sequence[str],
    backends: Sequence[str],
    copies: Sequence[int],
    rollout_steps: Sequence[int],
) -> list[Candidate]:
    """Return every combination that makes a difference in a mode."""
    if mode is Mode.ENV_ONLY:
        return [Candidate(world=world, tier=tier, backend=None, copies=count) for tier, count in product(tiers, copies)]
    found = []
    for tier, backend, count in product(tiers, backends, copies):
        # Random play has no rollouts: one length stands for all.
        lengths = rollout_steps if backend == "ppo" else rollout_steps[:1]
        found += [
            Candidate(world=world, tier=tier, backend=backend, copies=count, rollout_steps=length) for length in lengths
        ]
    return found


def mode_summary(results: Sequence[Result], mode: Mode, *, floor_safety_factor: float) -> JsonObject | None:
    """Return the best candidate of a mode, its floor and its distance to the target; None if none was measured."""
    measured = [result for result in results if result.mode is mode]
    if not measured:
        return None
    best = max(measured, key=lambda result: result.mean)
    return {
        "best_candidate": best.candidate.to_json(),
        "best_mean_steps_per_sec": best.mean,
        "lowest_steps_per_sec": best.lowest,
        "floor_steps_per_sec": best.lowest * floor_safety_factor,
        "target_steps_per_sec": TARGET_STEPS_PER_SEC,
        "share_of_target": best.mean / TARGET_STEPS_PER_SEC,
    }


def coverage_gaps(results: Sequence[Result], modes: Sequence[Mode], required_backends: Sequence[str]) -> list[str]:
    """Return every mode without evidence, and every required backend that a trainer mode lacks."""
    gaps = [f"{mode.value}: no candidate was measured" for mode in modes if all(r.mode is not mode for r in results)]
    for mode in modes:
        if mode is Mode.ENV_ONLY:
            continue
        seen = {result.candidate.backend for result in results if result.mode is mode}
        gaps += [f"{mode.value}: backend {name!r} was not measured" for name in required_backends if name not in seen]
    return gaps
