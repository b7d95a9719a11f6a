"""Where the throughput of one configuration lies: stepping alone, training, training with evaluation.

    python benchmarks/profile_throughput.py --json reports/profile_throughput.json

Every mode is measured several times, with wall-clock and processor seconds; growth of the heap is looked at in a pass
of its own, because tracing memory slows everything down. Only decisions are counted.
"""

import argparse
import sys
from pathlib import Path
from statistics import mean

from diorama.contracts.values import JsonObject
from harness.modes import Candidate, Mode, heap_growth_mib, measure_mode
from harness.reports import Findings, Gate
from harness.script import Script, positive, positive_seconds


def main() -> int:
    """Measure and report."""
    script = Script("profile_throughput", __doc__)
    script.parser.add_argument("--world", default="prospector")
    script.parser.add_argument("--modes", nargs="+", choices=list(Mode), type=Mode, default=list(Mode))
    script.parser.add_argument("--tier", default="fast", choices=("fast", "reference"))
    script.parser.add_argument("--backend", default="ppo", choices=("ppo", "random"))
    script.parser.add_argument("--copies", type=positive, default=1024)
    script.parser.add_argument("--rollout-steps", type=positive, default=64)
    script.parser.add_argument("--repeats", type=positive, default=3)
    script.parser.add_argument("--seconds", type=positive_seconds, default=3.0, help="of each repeat")
    script.parser.add_argument("--min-steps-per-sec", type=float, help="fail if the mean of a mode is below")
    return script.run(measure)


def measure(options: argparse.Namespace, directory: Path) -> Findings:
    """Measure every mode."""
    gates: list[Gate] = []
    profiles: dict[str, JsonObject] = {}
    for mode in options.modes:
        candidate = Candidate(
            world=options.world,
            tier=options.tier,
            backend=None if mode is Mode.ENV_ONLY else options.backend,
            copies=options.copies,
            rollout_steps=options.rollout_steps,
        )
        repeats = [
            measure_mode(mode, candidate, seconds=options.seconds, run_root=directory, run_id=f"{mode}-{place}")
            for place in range(options.repeats)
        ]
        growth = heap_growth_mib(mode, candidate, seconds=options.seconds, run_root=directory, run_id=f"{mode}-memory")
        rate = mean(repeat.steps_per_sec for repeat in repeats)
        gates.append(Gate(name=f"{mode}, steps/s", value=rate, at_least=options.min_steps_per_sec))
        profiles[mode.value] = {
            "candidate": candidate.to_json(),
            "mean_steps_per_sec": rate,
            "repeats": [repeat.to_json() for repeat in repeats],
            "heap_growth_mib": growth,
        }
    return Findings(gates=gates, sections={"modes": profiles}, artifacts=(directory,))


if __name__ == "__main__":
    sys.exit(main())
