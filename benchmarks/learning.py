"""What is learned in every world: policies beside scripts, clones and other trainers, on equal episodes.

    python benchmarks/learning.py --json reports/learning.json
    python benchmarks/learning.py --only prospector

Every protocol trains one run per training seed, chooses checkpoints on validation seeds and judges them on held-out
ones. Peers get the wall time of our run on the same machine. Every part is stored in the work folder with its
core-minutes: a measurement that was interrupted goes on where it stood, as long as settings and sources stay as they
are. With --only, protocols that are in the report already stay in it, each with the date and the sources of its own.
`python tools/write_learning.py` writes docs/learning.md from the report.
"""

import argparse
import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table

from diorama.contracts.values import JsonObject, JsonValue
from diorama.engine.system_facts import system_facts
from diorama.storage.report_files import write_report
from harness.learning.judging import measure_protocol
from harness.learning.protocols import PROTOCOLS, chosen_protocols
from harness.learning.stages import StageStore, source_revision

BAD_INPUT = 2


def main() -> int:
    """Measure what is missing, print the tables and write the report."""
    options = _options()
    names = [protocol.name for protocol in PROTOCOLS]
    unknown = sorted(set(options.only or ()) - set(names))
    if unknown:
        print(f"learning: no protocol is called {unknown[0]!r}; there are: {', '.join(names)}", file=sys.stderr)
        return BAD_INPUT
    work: Path = options.work / ("quick" if options.quick else "full")
    store = StageStore(folder=work / "stages", revision=source_revision())
    parts = _earlier_parts(options.json) if options.only else {}
    for protocol in chosen_protocols(options.only, is_quick=options.quick):
        part = measure_protocol(protocol, store, work / "runs")
        parts[protocol.name] = {**part, "measured_at": datetime.now(UTC).date().isoformat(), "revision": store.revision}
        _print(part)
        # After every protocol, so that a measurement that is cut short leaves what it had.
        write_report(options.json, _report(options, store, [parts[name] for name in names if name in parts]))
    print(f"{store.core_minutes:.1f} core-minutes, {store.reused} stages reused; report: {options.json}")
    return 0


def _earlier_parts(path: Path) -> dict[str, JsonObject]:
    """Return the protocols of a report that is there: those that are not asked for stay in it as they are."""
    if not path.is_file():
        return {}
    return {part["name"]: part for part in json.loads(path.read_text(encoding="utf-8"))["protocols"]}


def _report(options: argparse.Namespace, store: StageStore, parts: list[JsonValue]) -> JsonObject:
    return {
        "generated_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "config": {"quick": options.quick, "only": options.only},
        "revision": store.revision,
        "core_minutes": store.core_minutes,
        "stages_reused": store.reused,
        "protocols": list(parts),
        "system": system_facts(),
    }


def _print(part: JsonObject) -> None:
    table = Table("who", "actions", str(part["metric"]), "95%", "ahead of the best script", title=str(part["name"]))
    rows = part["rows"]
    assert isinstance(rows, list)
    for row in rows:
        assert isinstance(row, dict)
        low, high = row["interval"]
        ahead_low, ahead_high = row["ahead_interval"]
        table.add_row(
            str(row["name"]),
            str(row.get("actions", "")),
            f"{row['score']:.3f}",
            f"{low:.3f} .. {high:.3f}",
            f"{row['ahead']:+.3f} ({ahead_low:+.3f} .. {ahead_high:+.3f})",
        )
    Console().print(table)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", metavar="PROTOCOL", help="one of the protocols; repeatable")
    parser.add_argument("--quick", action="store_true", help="every part at work in a minute; learns nothing")
    parser.add_argument("--work", type=Path, default=Path("build/learning"), help="folder of stages and runs")
    parser.add_argument("--json", type=Path, default=Path("reports/learning.json"), help="where to write the report")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
