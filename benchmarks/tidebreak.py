"""Ticks per second of the arena, from duels to fleets, with what a tick is made of and what the boundary costs.

    python benchmarks/tidebreak.py --json reports/tidebreak.json

Every ship is played with random valid orders, fields and observations are on, and auto-resets are included. A battle is
played to its end and cut into pieces (`tidebreak_pieces.py`), which one copy plays in turn and 64 copies side by side:
both are timed on the same ticks. Orders are drawn before, because choosing them is the caller's work. The column with
drawing draws between the steps and throws the orders away: that is not timed, but it fills the caches. All times are
processor time, every measurement is repeated, and the best repeat counts. The parts of a tick are measured on one
battle under scripts, so that shots are fired and fields are stirred. What a call costs is the difference between two
duels stepped in two calls and the same two stepped in one, spells taking turns.
"""

import argparse
import json
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

import diorama
from diorama.contracts.values import F64, JsonObject, JsonValue
from diorama.engine.system_facts import system_facts
from diorama.storage.report_files import write_report
from diorama.worlds.tidebreak.fast import open_arena
from diorama.worlds.tidebreak.resolve import resolve
from diorama.worlds.tidebreak.scenarios.pairings import Pairing, pairing_package
from harness.repeats import REPEATS
from harness.tidebreak_pieces import PIECES, CutBattle, cut_battle, play_in_turn, play_together

PHASES = 8  # of a battle, in the table
REFERENCE_TICKS = 6  # of each piece
REFERENCE_GOAL = 150  # ticks per second of the duel, ten times the product's floor of real time by a hundred
PROFILED_TICKS = 400
BOUNDARY_SPELLS = 60
BOUNDARY_STEPS = 100  # of a spell
BOUNDARY_GOAL = 0.2  # share of a single duel's step
BOUNDARY_GOAL_US = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Two equal sides, and how many ticks a second one core should reach."""

    name: str
    side: tuple[tuple[str, int], ...]
    goal: int

    @property
    def ships(self) -> int:
        """Of both sides."""
        return 2 * sum(count for _, count in self.side)

    @property
    def pairing(self) -> Pairing:
        """The battle."""
        return Pairing(name=self.name, left=self.side, right=self.side, outcome=(0, 0, 0), length_s=0)

    def config(self) -> JsonObject:
        """Every ship is a seat."""
        package: JsonValue = json.loads(pairing_package(self.pairing, 1).model_dump_json(exclude_none=True))
        return {"package": package, "seats": self.ships, "played": "all"}


DUEL = Case(name="1v1", side=(("corvette", 1),), goal=40_000)
CASES = (
    DUEL,
    Case(name="4v4", side=(("corvette", 2), ("frigate", 1), ("attack_sub", 1)), goal=12_000),
    Case(name="8v8", side=(("corvette", 4), ("frigate", 2), ("attack_sub", 2)), goal=5_500),
    Case(name="24v24", side=(("corvette", 12), ("frigate", 8), ("attack_sub", 4)), goal=1_000),
)


def main() -> None:
    """Measure, print the tables and write the report."""
    options = _options()
    progress = Console(stderr=True)
    rows: list[JsonObject] = []
    for case in track(CASES, description="battles", console=progress):
        battle = cut_battle(case.config(), seed=1)
        rows.append(_fast_row(case, battle, options.repeats))
        if case is DUEL:
            rows.append(_reference_row(battle, options.repeats))
    parts = {case.name: _parts(case, options.repeats) for case in track(CASES, description="parts", console=progress)}
    summary = _summary(rows, parts, _call())
    _print_tables(Console(), rows, parts, summary)
    if options.json is not None:
        report: JsonObject = {
            "generated_at": datetime.now(UTC).isoformat(),
            "config": {"repeats": options.repeats},
            "summary": summary,
            "rows": rows,
            "parts": parts,
            "system": system_facts(),
        }
        write_report(options.json, report)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=REPEATS, help="of every measurement; the best counts")
    parser.add_argument("--json", type=Path, help="where to write the report")
    options = parser.parse_args()
    if options.repeats < 1:
        parser.error(f"--repeats is {options.repeats}; use 1 or more")
    return options


def _fast_row(case: Case, battle: CutBattle, repeats: int) -> JsonObject:
    in_turn = _best_of([play_in_turn(battle, tier="fast") for _ in range(repeats)])
    with_drawing = _best_of([play_in_turn(battle, tier="fast", is_drawing=True) for _ in range(repeats)])
    together = min(play_together(battle) for _ in range(repeats))
    return {
        "case": case.name,
        "tier": "fast",
        "agents": case.ships,
        "battle_ticks": battle.ticks,
        "ticks_per_second_one_copy": float(1 / in_turn.mean()),
        "ticks_per_second_one_copy_with_drawing": float(1 / with_drawing.mean()),
        "ticks_per_second": 1 / together,
        "agent_steps_per_second": case.ships / together,
        "ticks_per_second_by_phase": _by_phase(in_turn),
        "goal": case.goal,
    }


def _reference_row(battle: CutBattle, repeats: int) -> JsonObject:
    spent = _best_of([play_in_turn(battle, tier="reference", length=REFERENCE_TICKS) for _ in range(repeats)])
    return {
        "case": DUEL.name,
        "tier": "reference",
        "agents": DUEL.ships,
        "battle_ticks": battle.ticks,
        "ticks_per_second": float(1 / spent.mean()),
        "agent_steps_per_second": float(DUEL.ships / spent.mean()),
        "ticks_per_second_by_phase": _by_phase(spent),
        "goal": REFERENCE_GOAL,
    }


def _best_of(repeats: list[F64]) -> F64:
    """Return the repeat that took least time in sum."""
    return min(repeats, key=lambda seconds: float(seconds.sum()))


def _by_phase(seconds_per_tick: F64) -> list[JsonValue]:
    return [float(1 / phase.mean()) for phase in np.split(seconds_per_tick, PHASES)]


def _parts(case: Case, repeats: int) -> JsonObject:
    """Microseconds per tick of each part of it, under scripts; the best of the repeats in sum."""
    arena = open_arena(resolve(pairing_package(case.pairing, 1)))
    best: dict[str, float] = {}
    for _ in range(repeats):
        arena.reset()
        seconds = arena.profile(PROFILED_TICKS)
        if not best or sum(seconds.values()) < sum(best.values()):
            best, ticks = seconds, arena.tick
    return {name: 1e6 * spent / ticks for name, spent in best.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """Microseconds of a step of a single duel, and what of it is the call."""

    step_us: float
    fixed_us: float


def _call() -> Call:
    together, apart = (
        diorama.make("tidebreak", config=DUEL.config(), copies=2, seed=1, tier="fast", threads=1) for _ in range(2)
    )
    for batch in (together, apart):
        batch.reset()
    orders = np.zeros((together.rows, len(together.spec.heads)), np.int32)
    halves = apart.split(2)
    halved = [orders[: len(orders) // 2], orders[len(orders) // 2 :]]
    spent = np.zeros((BOUNDARY_SPELLS, 2))
    for spell in spent:
        # The same ticks of the same two duels, first in one call each, then in two.
        for place, calls in enumerate(([(together, orders)], list(zip(halves, halved, strict=True)))):
            began = time.thread_time()
            for _ in range(BOUNDARY_STEPS):
                for batch, given in calls:
                    batch.step(given)
            spell[place] = (time.thread_time() - began) / BOUNDARY_STEPS
    one, two = 1e6 * np.median(spent, axis=0)
    return Call(step_us=float(two / 2), fixed_us=max(0.0, float(two - one)))


def _rate(rows: list[JsonObject], case: str, tier: str, key: str = "ticks_per_second") -> float:
    for row in rows:
        if (row["case"], row["tier"]) == (case, tier):
            rate = row[key]
            assert isinstance(rate, float)
            return rate
    raise LookupError(f"{case} was not measured on {tier}")


def _summary(rows: list[JsonObject], parts: dict[str, JsonObject], call: Call) -> JsonObject:
    reference = _rate(rows, DUEL.name, "reference")
    batched = {case.name: _rate(rows, case.name, "fast") for case in CASES}
    alone = {case.name: _rate(rows, case.name, "fast", "ticks_per_second_one_copy") for case in CASES}
    boundary_share = call.fixed_us / call.step_us
    return {
        "ticks_per_second_one_core": dict(batched),
        "ticks_per_second_one_copy": dict(alone),
        "goals": {case.name: case.goal for case in CASES},
        "ratio_to_reference_tier": batched[DUEL.name] / reference,
        "boundary_us": call.fixed_us,
        "boundary_share": boundary_share,
        "profiled_us_per_tick": {
            name: sum(part for part in us.values() if isinstance(part, float)) for name, us in parts.items()
        },
        "pass": all(min(batched[case.name], alone[case.name]) >= case.goal for case in CASES)
        and reference >= REFERENCE_GOAL
        and boundary_share <= BOUNDARY_GOAL
        and call.fixed_us <= BOUNDARY_GOAL_US,
    }


def _print_tables(console: Console, rows: list[JsonObject], parts: dict[str, JsonObject], summary: JsonObject) -> None:
    rates = ("ticks_per_second_one_copy", "ticks_per_second_one_copy_with_drawing", "ticks_per_second", "goal")
    columns = ("one copy", "with drawing", f"{PIECES} copies", "goal")
    table = Table("case", "tier", *columns, title="ticks per second over whole battles, one thread")
    for row in rows:
        shown = [f"{row[rate]:,.0f}" if rate in row else "" for rate in rates]
        table.add_row(str(row["case"]), str(row["tier"]), *shown)
    console.print(table)
    eighths = [f"{phase + 1}/{PHASES}" for phase in range(PHASES)]
    table = Table("case", "tier", *eighths, title="thousand ticks per second of one copy, by phase of the battle")
    for row in rows:
        phases = row["ticks_per_second_by_phase"]
        assert isinstance(phases, list)
        table.add_row(str(row["case"]), str(row["tier"]), *(f"{float(rate) / 1000:.3g}" for rate in phases))
    console.print(table)
    names = list(next(iter(parts.values())))
    table = Table("case", *names, "sum", title="microseconds per tick under scripts")
    for case, spent in parts.items():
        values = [value for value in spent.values() if isinstance(value, float)]
        table.add_row(case, *(f"{value:.1f}" for value in values), f"{sum(values):.1f}")
    console.print(table)
    console.print(
        f"{summary['ratio_to_reference_tier']:,.0f}× the reference; one call costs {summary['boundary_us']:.1f} µs"
        f" (at most {BOUNDARY_GOAL_US:.0f}), {summary['boundary_share']:.1%} of a single duel's step"
        f" (at most {BOUNDARY_GOAL:.0%})"
    )


if __name__ == "__main__":
    main()
