"""Who beats whom in tidebreak: every pairing of the balance table, fought by scripts under the full rules.

    python benchmarks/tidebreak_balance.py --seeds 60

Each pairing must stay within twenty percentage points of its frozen outcome, mirrors between 40 and 60 percent.
"""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from diorama.contracts.values import JsonObject, JsonValue
from diorama.worlds.tidebreak.balance import (
    BAND,
    FIRST_SEED,
    MIRROR_SHARES,
    SEEDS,
    Tally,
    complaints,
    fight_pairing,
)
from diorama.worlds.tidebreak.scenarios import PAIRINGS, Pairing
from harness.reports import Findings, Gate
from harness.script import Script, positive


def main() -> int:
    """Fight and report."""
    script = Script("tidebreak_balance", __doc__)
    script.parser.add_argument("--seeds", type=positive, default=SEEDS, help="battles of each pairing")
    script.parser.add_argument("--first-seed", type=int, default=FIRST_SEED, help="seed of the first battle")
    return script.run(measure)


def measure(options: argparse.Namespace, _directory: Path) -> Findings:
    """Fight every pairing and print the table."""
    tallies = {
        pairing.name: fight_pairing(pairing, options.seeds, options.first_seed)
        for pairing in track(PAIRINGS, description="pairings", console=Console(stderr=True))
    }
    table = Table("pairing", "won/lost/undecided %", "frozen", "prototype", "length s", "frozen", title="left side")
    for pairing in PAIRINGS:
        table.add_row(*_cells(pairing, tallies[pairing.name]))
    Console().print(table)
    rows: list[JsonValue] = [_row(pairing, tallies[pairing.name]) for pairing in PAIRINGS]
    return Findings(
        gates=(
            Gate(name="largest distance from a stored share, points", value=_largest_distance(tallies), at_most=BAND),
            Gate(
                name="largest share of a side of a mirror, %",
                value=_largest_mirror_share(tallies),
                at_most=MIRROR_SHARES[1],
            ),
        ),
        failures=[line for pairing in PAIRINGS for line in complaints(pairing, tallies[pairing.name])],
        sections={"pairings": rows},
    )


def _largest_distance(tallies: Mapping[str, Tally]) -> float:
    return max(
        abs(found - stored)
        for pairing in PAIRINGS
        if not pairing.is_mirror
        for stored, found in zip(pairing.outcome, tallies[pairing.name].outcome, strict=True)
    )


def _largest_mirror_share(tallies: Mapping[str, Tally]) -> float:
    shares = [tallies[pairing.name].decided_share for pairing in PAIRINGS if pairing.is_mirror]
    return max(max(share, 100.0 - share) for share in shares)


def _cells(pairing: Pairing, tally: Tally) -> list[str]:
    prototype = "-" if pairing.prototype is None else _percent(pairing.prototype)
    lengths = (f"{tally.length_s:.0f}", str(pairing.length_s))
    return [pairing.name, _percent(tally.outcome), _percent(pairing.outcome), prototype, *lengths]


def _percent(outcome: tuple[float, float, float]) -> str:
    return " / ".join(f"{share:.0f}" for share in outcome)


def _row(pairing: Pairing, tally: Tally) -> JsonObject:
    return {
        "pairing": pairing.name,
        "battles": tally.battles,
        "outcome": list(tally.outcome),
        "length_s": tally.length_s,
        "frozen_outcome": list(pairing.outcome),
        "frozen_length_s": pairing.length_s,
    }


if __name__ == "__main__":
    sys.exit(main())
