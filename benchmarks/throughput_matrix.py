"""Which configuration is fastest in each mode, and how slow it may become before that is a fault.

    python benchmarks/throughput_matrix.py --json reports/throughput_matrix.json

Candidates run over tiers, backends and sizes. A mode's floor is the slowest repeat of its best candidate times a safety
factor; `gate_floors.py` holds later versions to it. What cannot run here is listed with the reason.
"""

import argparse
import sys
from pathlib import Path

from diorama.contracts.errors import DioramaError
from diorama.worlds.registry import load_world
from harness.matrix import Result, candidates_for, coverage_gaps, mode_summary
from harness.modes import Candidate, Mode, measure_mode
from harness.reports import Findings, Gate
from harness.script import Script, positive, positive_seconds


def main() -> int:
    """Measure and report."""
    script = Script("throughput_matrix", __doc__)
    script.parser.add_argument("--world", default="prospector")
    script.parser.add_argument("--modes", nargs="+", choices=list(Mode), type=Mode, default=list(Mode))
    script.parser.add_argument("--tiers", nargs="+", default=["fast", "reference"])
    script.parser.add_argument("--trainer-backends", nargs="+", default=["ppo"], help="random learns nothing")
    script.parser.add_argument("--copies", type=positive, nargs="+", default=[256, 1024])
    script.parser.add_argument("--rollout-steps", type=positive, nargs="+", default=[64])
    script.parser.add_argument("--repeats", type=positive, default=3)
    script.parser.add_argument("--seconds", type=positive_seconds, default=2.0, help="of each repeat")
    script.parser.add_argument("--floor-safety-factor", type=_share, default=0.90)
    script.parser.add_argument("--required-trainer-backends", nargs="+", default=[], help="that must be measured")
    script.parser.add_argument("--fail-on-coverage-gap", action="store_true", help="missing evidence fails")
    return script.run(measure)


def measure(options: argparse.Namespace, directory: Path) -> Findings:
    """Measure all candidates in all modes."""
    load_world(options.world)  # a wrong name is a mistake, not a combination to skip
    results: list[Result] = []
    skipped: list[str] = []
    for mode in options.modes:
        for place, candidate in enumerate(_candidates(mode, options)):
            try:
                results.append(_result(mode, candidate, options, directory, f"{mode}-{place:03d}"))
            except DioramaError as error:
                skipped.append(f"{mode}: {_words(candidate)}: {error}")
    gaps = coverage_gaps(results, options.modes, options.required_trainer_backends)
    summaries = {
        mode.value: mode_summary(results, mode, floor_safety_factor=options.floor_safety_factor)
        for mode in options.modes
    }
    gates = [
        Gate(name=f"{mode}, best mean, steps/s", value=max(each.mean for each in results if each.mode is mode))
        for mode in options.modes
        if summaries[mode.value] is not None
    ]
    return Findings(
        gates=gates,
        failures=gaps if options.fail_on_coverage_gap else (),
        skipped=skipped,
        sections={
            "modes": summaries,
            "coverage_gaps": gaps,
            "candidates": [result.to_json() for result in results],
        },
        artifacts=(directory,),
    )


def _candidates(mode: Mode, options: argparse.Namespace) -> list[Candidate]:
    return candidates_for(
        mode,
        options.world,
        tiers=options.tiers,
        backends=options.trainer_backends,
        copies=options.copies,
        rollout_steps=options.rollout_steps,
    )


def _result(mode: Mode, candidate: Candidate, options: argparse.Namespace, directory: Path, run_id: str) -> Result:
    repeats = [
        measure_mode(mode, candidate, seconds=options.seconds, run_root=directory, run_id=f"{run_id}-{place}")
        for place in range(options.repeats)
    ]
    return Result(mode=mode, candidate=candidate, repeats=tuple(repeats))


def _words(candidate: Candidate) -> str:
    return f"{candidate.tier} {candidate.backend or 'stepping'} with {candidate.copies} copies"


def _share(text: str) -> float:
    value = float(text)
    if not 0.0 < value <= 1.0:
        raise argparse.ArgumentTypeError(f"{text} is no share; use more than 0 and at most 1")
    return value


if __name__ == "__main__":
    sys.exit(main())
