"""Ticks and agent steps per second of towns that live, on both tiers, with the number of living citizens.

    python benchmarks/townlet.py --json reports/townlet.json

Every town is played by the scripted controller, so that citizens walk, queue, work, cook and sleep; choosing options
is timed apart, since it is the caller's work. Towns are warmed up for part of a day before they are timed, auto-resets
are included, and an agent step counts a living citizen only. Every measurement is repeated and the best repeat counts.
Everything runs on one thread, and its processor time is what is taken, so that whoever else uses the machine does not
count. A measurement in which fewer than half of the citizens live counts as failed.
"""

import argparse
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

import diorama
from diorama.contracts.values import JsonObject
from diorama.engine.batch import Batch
from diorama.engine.system_facts import system_facts
from diorama.storage.report_files import write_report
from harness.repeats import REPEATS

CITIZENS: Final = 8
WARM_UP_TICKS: Final = 300
LEAST_LIVING: Final = CITIZENS / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A batch of towns, and how fast it should be.

    Attributes:
        features: Of the configuration, beside the number of citizens.
        counts_agents: Whether `target` and `floor` are agent steps per second, not town ticks.
    """

    name: str
    tier: str
    towns: int
    features: JsonObject
    counts_agents: bool
    target: int
    floor: int

    def config(self) -> JsonObject:
        """As many seats as citizens, all of them taken."""
        return {"world": {"seats": CITIZENS, "population": CITIZENS}, **self.features}


def _variant(name: str) -> JsonObject:
    return {"features": {"systems": {"observations": name}}}


HYBRID: Final = _variant("hybrid")
WITHOUT_MAP: Final = {**_variant("compact"), "observations": {"compact": {"map_window": 0}}}
REFERENCE: Final = Case(
    name="reference, hybrid",
    tier="reference",
    towns=1,
    features=HYBRID,
    counts_agents=False,
    target=800,
    floor=400,
)
BATCH: Final = Case(
    name="batch, hybrid",
    tier="fast",
    towns=64,
    features=HYBRID,
    counts_agents=True,
    target=250_000,
    floor=100_000,
)
CASES: Final = (
    REFERENCE,
    BATCH,
    Case(
        name="batch, compact without map",
        tier="fast",
        towns=64,
        features=WITHOUT_MAP,
        counts_agents=True,
        target=1_000_000,
        floor=400_000,
    ),
    Case(
        name="eight towns, full",
        tier="fast",
        towns=8,
        features=_variant("full"),
        counts_agents=False,
        target=30_000,
        floor=4_000,
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spell:
    """What one repeat found; rates are by the time spent stepping."""

    town_ticks: int
    agent_steps: int
    stepping_seconds: float
    choosing_seconds: float

    @property
    def ticks_per_second(self) -> float:
        """Ticks of single towns."""
        return self.town_ticks / self.stepping_seconds

    @property
    def agent_steps_per_second(self) -> float:
        """Steps of living citizens."""
        return self.agent_steps / self.stepping_seconds

    @property
    def living(self) -> float:
        """Citizens of a town, on average."""
        return self.agent_steps / self.town_ticks


def main() -> None:
    """Measure, print the table and write the report."""
    options = _options()
    rows = [_row(case, options.seconds) for case in track(CASES, description="towns", console=Console(stderr=True))]
    summary = _summary(rows)
    _print_table(Console(), rows, summary)
    if options.json is not None:
        report: JsonObject = {
            "generated_at": datetime.now(UTC).isoformat(),
            "config": {"seconds": options.seconds, "citizens": CITIZENS},
            "summary": summary,
            "rows": rows,
            "system": system_facts(),
        }
        write_report(options.json, report)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=3.0, help="stepping time of a measurement, all repeats")
    parser.add_argument("--json", type=Path, help="where to write the report")
    return parser.parse_args()


def _row(case: Case, seconds: float) -> JsonObject:
    batch = diorama.make("townlet", config=case.config(), copies=case.towns, seed=1, tier=case.tier, threads=1)
    batch.reset()
    for _ in range(WARM_UP_TICKS):
        batch.step(batch.expert_actions())
    spells = [_spell(batch, seconds / REPEATS) for _ in range(REPEATS)]
    batch.close()
    best = max(spells, key=lambda spell: spell.ticks_per_second)
    rate = best.agent_steps_per_second if case.counts_agents else best.ticks_per_second
    return {
        "case": case.name,
        "tier": case.tier,
        "towns": case.towns,
        "living_citizens": best.living,
        "ticks_per_second": best.ticks_per_second,
        "agent_steps_per_second": best.agent_steps_per_second,
        "choosing_seconds_per_tick": best.choosing_seconds / best.town_ticks,
        "repeats": [spell.ticks_per_second for spell in spells],
        "unit": "agent steps/s" if case.counts_agents else "town ticks/s",
        "rate": rate,
        "target": case.target,
        "floor": case.floor,
        "pass": rate >= case.floor and best.living >= LEAST_LIVING,
    }


def _spell(batch: Batch, seconds: float) -> Spell:
    steps = agent_steps = 0
    stepping = choosing = 0.0
    while stepping < seconds:
        began = time.thread_time()
        options = batch.expert_actions()
        chosen = time.thread_time()
        agent_steps += int(np.count_nonzero(batch.alive))
        batch.step(options)
        stepping += time.thread_time() - chosen
        choosing += chosen - began
        steps += 1
    return Spell(
        town_ticks=steps * len(batch.dt),
        agent_steps=agent_steps,
        stepping_seconds=stepping,
        choosing_seconds=choosing,
    )


def _summary(rows: list[JsonObject]) -> JsonObject:
    rates = {str(row["case"]): row["ticks_per_second"] for row in rows}
    reference, batch = rates[REFERENCE.name], rates[BATCH.name]
    assert isinstance(reference, float)
    assert isinstance(batch, float)
    return {
        "ratio_to_reference_tier": batch / reference,
        "targets_met": [row["case"] for row in rows if _is_at_least(row, "target")],
        "pass": all(row["pass"] for row in rows),
    }


def _is_at_least(row: JsonObject, goal: str) -> bool:
    rate, wanted = row["rate"], row[goal]
    assert isinstance(rate, float)
    assert isinstance(wanted, int)
    return rate >= wanted


def _print_table(console: Console, rows: list[JsonObject], summary: JsonObject) -> None:
    table = Table("case", "tier", "towns", "living", "rate", "unit", "target", "floor", title="scripted, one thread")
    for row in rows:
        table.add_row(
            *(str(row[key]) for key in ("case", "tier", "towns")),
            f"{row['living_citizens']:.2f}",
            f"{row['rate']:,.0f}",
            str(row["unit"]),
            f"{row['target']:,}",
            f"{row['floor']:,}",
        )
    console.print(table)
    console.print(f"a town of the batch is {summary['ratio_to_reference_tier']:,.0f}× as fast as one of the reference")


if __name__ == "__main__":
    main()
