"""Whether every mode is still as fast as the matrix says it must be.

    python benchmarks/gate_floors.py --matrix reports/throughput_matrix.json --json reports/gate_floors.json

Each mode is measured again with the best candidate of the matrix; the mean of the repeats must reach the mode's floor.
"""

import argparse
import sys
from pathlib import Path
from statistics import mean
from typing import Annotated

import msgspec
from msgspec import Meta

from diorama.contracts.errors import DocumentError
from diorama.contracts.values import JsonObject
from diorama.runs.documents import read_document
from harness.modes import Candidate, Mode, measure_mode
from harness.reports import Findings, Gate
from harness.script import Script, positive, positive_seconds


class ModeFloor(msgspec.Struct, frozen=True, kw_only=True):
    """What the gate reads of a mode in a matrix."""

    best_candidate: Candidate
    floor_steps_per_sec: Annotated[float, Meta(gt=0)]


class MatrixReport(msgspec.Struct, frozen=True, kw_only=True):
    """What the gate reads of a matrix."""

    modes: dict[Mode, ModeFloor | None]


def main() -> int:
    """Measure and report."""
    script = Script("gate_floors", __doc__)
    script.parser.add_argument("--matrix", type=Path, required=True, help="report of throughput_matrix.py")
    script.parser.add_argument("--repeats", type=positive, default=3)
    script.parser.add_argument("--seconds", type=positive_seconds, default=2.0, help="of each repeat")
    return script.run(measure)


def measure(options: argparse.Namespace, directory: Path) -> Findings:
    """Measure every mode the matrix has a floor for."""
    floors = {mode: floor for mode, floor in read_document(options.matrix, MatrixReport).modes.items() if floor}
    if not floors:
        raise DocumentError(f"{options.matrix}: has no floor for any mode; make it anew with throughput_matrix.py")
    gates: list[Gate] = []
    rows: dict[str, JsonObject] = {}
    for mode, floor in floors.items():
        repeats = [
            measure_mode(
                mode,
                floor.best_candidate,
                seconds=options.seconds,
                run_root=directory,
                run_id=f"{mode}-{place}",
            )
            for place in range(options.repeats)
        ]
        rate = mean(repeat.steps_per_sec for repeat in repeats)
        gates.append(Gate(name=f"{mode}, steps/s", value=rate, at_least=floor.floor_steps_per_sec))
        rows[mode.value] = {
            "candidate": floor.best_candidate.to_json(),
            "mean_steps_per_sec": rate,
            "floor_steps_per_sec": floor.floor_steps_per_sec,
            "repeats": [repeat.to_json() for repeat in repeats],
        }
    return Findings(gates=gates, sections={"modes": rows}, artifacts=(directory,))


if __name__ == "__main__":
    sys.exit(main())
