"""Runs all campaigns and writes a report: `python -m tests.campaigns --rounds 10 --json reports/campaigns.json`."""

import argparse
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from diorama.engine.system_facts import system_facts
from diorama.storage.report_files import write_report
from tests.campaigns.disks import NoDisk
from tests.campaigns.hostile import hostile_visitors
from tests.campaigns.live import full_disk_live, killed_live
from tests.campaigns.serving import full_disk_serving, killed_serving
from tests.campaigns.training import full_disk_training, killed_training


def main() -> int:
    """Go through all campaigns, whatever the first ones find."""
    parser = argparse.ArgumentParser(prog="campaigns", description=__doc__)
    parser.add_argument("--rounds", type=int, default=10, help="kills of each campaign")
    parser.add_argument("--hostile-seconds", type=float, default=60.0, help="how long a server is attacked")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the moments; new ones if left out")
    parser.add_argument("--only", default="", help="campaigns whose name holds this; all if left out")
    parser.add_argument("--json", type=Path, default=Path("reports/campaigns.json"), help="where to write the report")
    options = parser.parse_args()
    kills: dict[str, Callable[..., dict[str, Any]]] = {
        "killed training": killed_training,
        "killed live worlds": killed_live,
        "killed server": killed_serving,
    }
    disks: dict[str, Callable[[Path], dict[str, Any]]] = {
        "training on a full disk": full_disk_training,
        "live world on a full disk": full_disk_live,
        "server on a full disk": full_disk_serving,
    }
    repeated = {name: partial(run, rounds=options.rounds, seed=options.seed) for name, run in kills.items()}
    attacked = partial(hostile_visitors, seconds=options.hostile_seconds, seed=options.seed)
    plans: dict[str, Callable[[Path], dict[str, Any]]] = {**repeated, **disks, "server under attack": attacked}
    if options.only:
        plans = {name: plan for name, plan in plans.items() if options.only in name}
    results = {name: _result(name, plan) for name, plan in plans.items()}
    is_passed = all(result["outcome"] != "failed" for result in results.values())
    write_report(
        options.json,
        {
            "generated_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "config": {
                "rounds": options.rounds,
                "seed": options.seed,
                "hostile_seconds": options.hostile_seconds,
            },
            "summary": {"pass": is_passed},
            "campaigns": results,
            "system": system_facts(),
        },
    )
    print(f"report: {options.json}")
    return 0 if is_passed else 1


def _result(name: str, plan: Callable[[Path], dict[str, Any]]) -> dict[str, Any]:
    began = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="campaign-") as directory:
        try:
            outcome: dict[str, Any] = {"outcome": "passed", "found": plan(Path(directory) / "campaign")}
        except NoDisk as error:
            outcome = {"outcome": "skipped", "why": str(error)}
        except Exception as error:
            traceback.print_exc()
            outcome = {"outcome": "failed", "why": f"{type(error).__name__}: {error}"}
    seconds = time.perf_counter() - began
    print(f"{name}: {outcome['outcome']} in {seconds:.0f} s {outcome.get('why', '')}", flush=True)
    return {**outcome, "seconds": round(seconds, 1)}


if __name__ == "__main__":
    sys.exit(main())
