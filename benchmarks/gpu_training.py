"""Training on a GPU: the ceilings of the machine, the network alone, and training end to end.

    python benchmarks/gpu_training.py --json reports/gpu_training.json --limit 230

Every case runs in a process of its own with a time limit, so that one that fails or hangs costs only itself. It exits
with 1 if one did.
"""

import argparse
import faulthandler
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

from diorama.contracts.values import JsonObject, JsonValue
from diorama.storage.report_files import write_report
from gpu.ceilings import machine, stepping, transfers
from gpu.consoles import consoles
from gpu.network import inference, update
from gpu.plan import cases
from gpu.roofline import roofline
from gpu.team import together
from gpu.trainer import training

PARTS: Final = {
    "machine": machine,
    "transfers": transfers,
    "stepping": stepping,
    "inference": inference,
    "update": update,
    "training": training,
    "roofline": roofline,
    "consoles": consoles,
    "together": together,
}
_IMPORTING_S: Final = 30.0  # before a case can watch its own time
_SHOWN: Final = (
    "copies", "threads", "slices", "memory", "rows", "mib", "pinned", "to", "gb_per_second", "us", "copies_per_second",
    "steps_per_second", "make_ms", "reset_ms", "first_step_ms", "step_ms", "sample_ms", "eager_us", "eager_wall_us",
    "graph_us", "learn_ms", "appraise_ms", "phase_shares", "entropy", "approx_kl", "explained_variance",
    "warm_up_seconds", "simulate_per_second", "copy_per_second", "decide_per_second", "learn_per_second", "bound",
    "share_of_bound", "frames_per_second", "picture_mib_per_update", "to_host_mib_per_update", "to_gpu_mib_per_update",
    "backends", "furthest_apart",
)  # fmt: skip


def main() -> None:
    """Run one case in this process, or all of them in processes of their own."""
    options = _options()
    if options.case is not None:
        case = json.loads(options.case)
        rows: list[JsonObject] = []
        # Where a case hangs is told before it is ended.
        faulthandler.dump_traceback_later(options.limit, exit=True)
        for row in PARTS[case["part"]](case):
            rows.append(row)
            options.json.write_text(json.dumps(rows), encoding="utf-8")
        return
    planned = {name: case for name, case in cases().items() if _is_wanted(name, options.only)}
    began = time.perf_counter()
    report: dict[str, JsonValue] = {}
    for name, case in planned.items():
        left = options.limit - (time.perf_counter() - began)
        report[name] = _apart(case, min(left, options.case_limit)) if left > 1 else {"skipped": "no time left"}
        write_report(options.json, report)
        _tell(name, report[name], time.perf_counter() - began)
    _print(report)
    if any("failed" in found for found in report.values() if isinstance(found, dict)):
        sys.exit(1)


def _is_wanted(name: str, only: list[str] | None) -> bool:
    return only is None or any(name.startswith(prefix) for prefix in only)


def _apart(case: JsonObject, limit_s: float) -> JsonObject:
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder) / "found.json"
        command = [sys.executable, __file__, "--case", json.dumps(case), "--json", str(found), "--limit", str(limit_s)]
        given = case.get("environment", {})
        assert isinstance(given, dict)
        wrong = _failure(command, limit_s, {name: str(value) for name, value in given.items()})
        rows = json.loads(found.read_text(encoding="utf-8")) if found.is_file() else []
    return {"rows": rows} if wrong is None else {"rows": rows, "case": case, "failed": wrong}


def _failure(command: list[str], limit_s: float, environment: dict[str, str]) -> str | None:
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=limit_s + _IMPORTING_S,
            check=False,
            env={**os.environ, **environment},
        )
    except subprocess.TimeoutExpired as hung:
        said = hung.stderr or b""
        return f"not done after {limit_s:.0f} s: {(said.decode() if isinstance(said, bytes) else said)[-6000:]}"
    return done.stderr[-6000:] if done.returncode else None


def _tell(name: str, found: object, seconds: float) -> None:
    assert isinstance(found, dict)
    wrong = found.get("failed") or found.get("skipped")
    print(f"{seconds:6.1f} s  {name}  {str(wrong)[-400:] if wrong else 'done'}", flush=True)


def _print(report: JsonObject) -> None:
    table = Table("case", "found")
    for name, found in report.items():
        assert isinstance(found, dict)
        rows = found.get("rows", [])
        assert isinstance(rows, list)
        for row in rows:
            assert isinstance(row, dict)
            table.add_row(name, "  ".join(f"{key} {_short(row[key])}" for key in _SHOWN if key in row))
    Console(width=180).print(table)


def _short(value: object) -> str:
    if isinstance(value, dict):
        return " ".join(f"{key} {_short(item)}" for key, item in value.items())
    return (
        f"{value:,.4g}"
        if isinstance(value, float) and abs(value) < 1000
        else f"{value:,.0f}"
        if isinstance(value, float)
        else str(value)
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--json", type=Path, default=Path("reports/gpu_training.json"), help="where to write the report"
    )
    parser.add_argument("--only", action="append", help="cases whose names begin so, repeatable")
    parser.add_argument("--limit", type=float, default=600.0, help="seconds for everything")
    parser.add_argument("--case-limit", type=float, default=60.0, help="seconds for one case")
    parser.add_argument("--case", help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    main()
