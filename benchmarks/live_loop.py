"""Ticks per second of a live world with everything around it, beside the same world without.

    python benchmarks/live_loop.py --json reports/live_loop.json

Live: console, stability monitor, promotion, log, autosaves, and full telemetry to a file. Headless: the same world,
stage by stage under the same controller, and nothing else. Both take turns and the best repeat of each counts. The time
is the processor time of the whole process, the thread that writes the telemetry included, so that whoever else uses the
machine does not count; `loop_ticks_per_second` leaves that thread out.
"""

import argparse
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from rich.console import Console
from rich.progress import track
from rich.table import Table

from diorama.contracts.config import WorldConfig, parse_config
from diorama.contracts.live.world import LiveWorld
from diorama.contracts.values import JsonObject
from diorama.contracts.world import World
from diorama.engine.system_facts import system_facts
from diorama.operate.live.batch_world.offer import live_offer
from diorama.operate.live.deciding.decider import Decider
from diorama.operate.live.deciding.opening import PolicyShelf, default_policy
from diorama.operate.live.runtime import LiveRuntime
from diorama.storage.report_files import write_report
from diorama.worlds.registry import load_world
from harness.repeats import REPEATS

CONFIGS: Final[dict[str, JsonObject]] = {
    "townlet": {"world": {"seats": 8, "population": 8}},
    "prospector": {},
    "tidebreak": {},
    "gameboy": {},
}
GOALS: Final = {"townlet": 400.0}  # ticks per second with full telemetry to a file, on one quiet core
WARM_UP_TICKS: Final = 300
AUTOSAVE_TICKS: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """Ticks per second of processor time: of the process, and of the loop's own thread."""

    process: float
    loop: float


class Headless:
    """A world that nobody watches."""

    def __init__(self, world: LiveWorld, decider: Decider) -> None:
        """Begin at the first tick."""
        self._world = world
        self._decider = decider

    def run_ticks(self, ticks: int) -> None:
        """Carry out the stages that are the world's."""
        world = self._world
        for _ in range(ticks):
            world.schedule()
            world.decide(self._decider.decide(world))
            world.resolve()
            world.settle()
            world.take_events()
            world.advance()


def main() -> None:
    """Measure, print the table and write the report."""
    options = _options()
    rows = [
        _row(world, options.ticks) for world in track(options.world, description="worlds", console=Console(stderr=True))
    ]
    _print_table(rows)
    if options.json is not None:
        report: JsonObject = {
            "generated_at": datetime.now(UTC).isoformat(),
            "config": {"ticks": options.ticks, "repeats": REPEATS, "autosave_ticks": AUTOSAVE_TICKS},
            "rows": rows,
            "pass": all(row["pass"] for row in rows),
            "system": system_facts(),
        }
        write_report(options.json, report)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--world", action="append", choices=CONFIGS, help="which world; townlet if left out")
    parser.add_argument("--ticks", type=int, default=1000, help="ticks of one repeat")
    parser.add_argument("--json", type=Path, help="where to write the report")
    options = parser.parse_args()
    options.world = options.world or ["townlet"]
    return options


def _row(world_id: str, ticks: int) -> JsonObject:
    world = load_world(world_id)
    config = parse_config(world_id, world.config_type, CONFIGS[world_id])
    with TemporaryDirectory() as folder:
        live = LiveRuntime.open(world, config, root=Path(folder), speed="max", seed=1, autosave_ticks=AUTOSAVE_TICKS)
        alone = _headless(world, config)
        for subject in (live, alone):
            subject.run_ticks(WARM_UP_TICKS)
        spells = [(_rate(live, ticks), _rate(alone, ticks)) for _ in range(REPEATS)]
        written = sum(path.stat().st_size for path in (Path(folder) / "telemetry").iterdir())
        live.close()
    best = max((spell[0] for spell in spells), key=lambda rate: rate.process)
    headless = max(spell[1].process for spell in spells)
    goal = GOALS.get(world_id, 0.0)
    return {
        "world": world_id,
        "live_ticks_per_second": best.process,
        "loop_ticks_per_second": best.loop,
        "headless_ticks_per_second": headless,
        "ratio": best.process / headless,
        "telemetry_bytes_per_tick": written / (WARM_UP_TICKS + ticks * REPEATS),
        "goal": goal,
        "pass": best.process >= goal,
    }


def _headless(world: World[WorldConfig], config: WorldConfig) -> Headless:
    alone = live_offer(world, config).open(config, None, 1)
    shelf = PolicyShelf(world=world, config=config, run_root=Path("runs"))
    return Headless(alone, shelf.open(shelf.find(default_policy(world, config), alone.identity)))


def _rate(subject: LiveRuntime | Headless, ticks: int) -> Rate:
    process, thread = time.process_time(), time.thread_time()
    subject.run_ticks(ticks)
    return Rate(process=ticks / (time.process_time() - process), loop=ticks / (time.thread_time() - thread))


def _print_table(rows: list[JsonObject]) -> None:
    table = Table("world", "live", "loop alone", "headless", "ratio", "bytes/tick", "goal", title="ticks per second")
    for row in rows:
        keys = ("live_ticks_per_second", "loop_ticks_per_second", "headless_ticks_per_second")
        table.add_row(
            str(row["world"]),
            *(f"{row[key]:,.0f}" for key in keys),
            f"{row['ratio']:.2f}",
            f"{row['telemetry_bytes_per_tick']:,.0f}",
            f"{row['goal']:,.0f}",
        )
    Console().print(table)


if __name__ == "__main__":
    main()
