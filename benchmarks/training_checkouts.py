"""Decisions per second of training in two checkouts, measured in turns.

Every measurement is a process of its own that imports `measure_own` of `benchmarks/training.py` from one of the
checkouts; no peers are measured. A round measures every row in the former checkout and right after it in the other
one, so that both meet the same noise of a shared machine; the best round of each counts. `--former` names the former
checkout; the other is the one this script lies in unless `--checkout` names another.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import track
from rich.table import Table

ROOT: Final = Path(__file__).resolve().parent.parent
SIDES: Final = ("former", "checkout")
_MEASURE: Final = """
import json, sys
from peers.work import Work
from training import measure_own
asked = json.loads(sys.argv[1])
print(json.dumps(measure_own(Work(**asked["work"]), seconds=asked["seconds"], threads=asked["threads"])))
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What is trained; the fields are those of `peers.work.Work`."""

    world: str = "prospector"
    config: Mapping[str, object] = field(default_factory=dict)
    arch: str
    copies: int = 1024
    rollout_steps: int = 64
    minibatches: int = 4
    passes: int = 1


ROWS: Final = {
    "mlp-128": Row(arch="mlp-128-gelu-v1"),
    "mlp-256x256": Row(arch="mlp-256x256-tanh-v1"),
    "mingru-128": Row(arch="mingru-128-v1"),
    "factored-heads": Row(
        world="tidebreak", config={"stage": 2, "observation": "compact"}, arch="mlp-128x128-relu-v1", copies=256
    ),
}


class MeasurementFailed(Exception):
    """A checkout could not be measured; the message says why."""


def main() -> int:
    """Measure, print the table, write the report and return the exit status."""
    options = _options()
    roots = dict(zip(SIDES, (options.former, options.checkout), strict=True))
    names = options.row or list(ROWS)
    turns = [(name, side) for _ in range(options.rounds) for name in names for side in SIDES]
    rates: dict[str, dict[str, list[float]]] = {name: {side: [] for side in SIDES} for name in names}
    try:
        for name, side in track(turns, description="measurements", console=Console(stderr=True)):
            measured = _measure(roots[side], ROWS[name], seconds=options.seconds, threads=options.threads)
            rates[name][side].append(float(measured["decisions_per_second"]))
    except MeasurementFailed as failed:
        print(f"training_checkouts: {failed}", file=sys.stderr)
        return 1
    rows = [_result(name, rates[name]) for name in names]
    _print(rows)
    if options.json is not None:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(_report(options, rows), indent=2) + "\n", encoding="utf-8")
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--former", type=_checkout, required=True, help="root of the checkout to compare with")
    parser.add_argument("--checkout", type=_checkout, default=ROOT, help="root of the other one (default: this one)")
    parser.add_argument("--row", action="append", choices=ROWS, metavar="NAME", help=f"one of {', '.join(ROWS)}")
    parser.add_argument("--rounds", type=int, default=3, help="how often both are measured; the best round counts")
    parser.add_argument("--seconds", type=float, default=3.0, help="measured time of each training")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="threads of each training")
    parser.add_argument("--json", type=Path, help="where to write the report")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error(f"--rounds {options.rounds}: measure at least once")
    return options


def _checkout(text: str) -> Path:
    root = Path(text).resolve()
    if not (root / "benchmarks" / "training.py").is_file():
        raise argparse.ArgumentTypeError(f"{text} is no checkout: it has no benchmarks/training.py")
    return root


def _measure(root: Path, row: Row, *, seconds: float, threads: int) -> dict[str, Any]:
    """Train in a process that imports everything from one checkout, and return what `measure_own` does.

    Raises:
        MeasurementFailed: The process ended with an error.
    """
    asked = json.dumps({"work": asdict(row), "seconds": seconds, "threads": threads})
    ended = subprocess.run(
        (sys.executable, "-c", _MEASURE, asked),
        cwd=root,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(root / "src"), str(root / "benchmarks")))},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if ended.returncode:
        said = ended.stderr.strip().splitlines()
        raise MeasurementFailed(f"{root.name}, {row.arch}: {said[-1] if said else f'exit status {ended.returncode}'}")
    measured: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])
    return measured


def _result(name: str, rates: Mapping[str, list[float]]) -> dict[str, Any]:
    former, current = (max(rates[side]) for side in SIDES)
    best = {"former": former, "checkout": current}
    return {"row": name, **asdict(ROWS[name]), "best": best, "ratio": current / former, "rounds": dict(rates)}


def _print(rows: list[dict[str, Any]]) -> None:
    table = Table("row", "network", "former, decisions/s", "checkout, decisions/s", "ratio")
    for row in rows:
        best = (f"{row['best'][side]:,.0f}" for side in SIDES)
        table.add_row(row["row"], row["arch"], *best, f"{row['ratio']:.3f}×")
    Console().print(table)


def _report(options: argparse.Namespace, rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "generated_at": datetime.now(UTC).isoformat(),
        "config": {name: getattr(options, name) for name in ("rounds", "seconds", "threads")},
        "rows": rows,
    }


if __name__ == "__main__":
    sys.exit(main())
