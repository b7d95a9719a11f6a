"""State hashes that twelve battles of scripts must have on every machine: `python -m tests.worlds.tidebreak.hashes`.

They change only together with the rules or the content, and the commit that changes them says why.
"""

import json
from pathlib import Path

from diorama.worlds.tidebreak.fast import open_arena
from diorama.worlds.tidebreak.packages import BattlePackage
from diorama.worlds.tidebreak.resolve import resolve
from diorama.worlds.tidebreak.scenarios import load_scenario, random_battle, scenario_names

STORED = Path(__file__).with_name("hashes.json")
TICKS = (0, 1, 60, 300, 600)
RANDOM_BATTLES = 12 - len(scenario_names())


def packages() -> dict[str, BattlePackage]:
    """The stored scenarios, filled up with battles of any kind."""
    drawn = {f"random-{number:02d}": random_battle(number) for number in range(RANDOM_BATTLES)}
    return {**{name: load_scenario(name) for name in scenario_names()}, **drawn}


def hashes_of(package: BattlePackage) -> dict[str, str]:
    """Fight a battle; return its hash at every stored tick that it lives to see."""
    arena = open_arena(resolve(package))
    found = {}
    for tick in range(max(TICKS) + 1):
        if tick in TICKS:
            found[str(tick)] = f"{arena.state_hash():016x}"
        if arena.is_over:
            break
        arena.step({})
    return found


def main() -> None:
    """Write the file anew."""
    found = {name: hashes_of(package) for name, package in packages().items()}
    STORED.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
