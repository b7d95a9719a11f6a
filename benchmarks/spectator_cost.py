"""What spectators cost a tick of a live town: one of them, ten, a hundred, a thousand.

    python benchmarks/spectator_cost.py --json reports/spectator_cost.json

Followers: one town for each number of spectators, in this process, all with the same seed and therefore the same ticks,
which take turns. After each tick everybody reads what they were told, as the server does for them; the time of a tick
is the processor time of the world's thread, and reading is told beside it.

Sockets: a real live town in a process of its own, at its ordinary speed, with real WebSockets on loopback that all read
every message; spells with few and with many take turns. Beside the processor time of the world's thread it tells how
long a tick took by the clock, which has to share its interpreter with the thread that serves the sockets, and how many
cores that process used.

All ratios are to one spectator.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from diorama.contracts.values import JsonObject, JsonValue
from harness.follower_cost import followed
from harness.latency import latency_block
from harness.reports import Findings, Gate
from harness.script import Script, positive, positive_seconds
from harness.socket_cost import Spell, watched

COUNTS: Final = (1, 10, 100, 1000)
MAX_RATIO: Final = 1.5


def main() -> int:
    """Measure and report."""
    script = Script("spectator_cost", __doc__)
    script.parser.add_argument(
        "--spectators", type=positive, action="append", help=f"how many; again for more, {COUNTS} if left out"
    )
    script.parser.add_argument("--ticks", type=positive, default=200, help="of each town with followers")
    script.parser.add_argument("--seconds", type=positive_seconds, default=6.0, help="length of a spell with sockets")
    script.parser.add_argument("--rounds", type=positive, default=2, help="spells for each number of sockets")
    script.parser.add_argument("--max-ratio", type=float, default=MAX_RATIO, help="a tick with most to one with one")
    return script.run(measure)


def measure(options: argparse.Namespace, directory: Path) -> Findings:
    """Let more and more watch."""
    counts = sorted({1, *(options.spectators or COUNTS)})
    towns = followed(counts, options.ticks, directory / "towns")
    spells = watched(counts, options.seconds, options.rounds, directory)
    followers = {count: latency_block(cost.tick_s) for count, cost in towns.items()}
    sockets = {count: latency_block([tick.used_s for tick in spell.ticks]) for count, spell in spells.items()}
    return Findings(
        gates=(
            *_gates("followers", followers, options.max_ratio),
            *_gates("sockets", sockets, options.max_ratio),
            *(
                Gate(name=f"sockets, {count}: cores the town's process used", value=spell.cores)
                for count, spell in spells.items()
            ),
        ),
        failures=[f"{spell.lost} of {count} sockets were let go" for count, spell in spells.items() if spell.lost],
        sections={
            "followers": {
                str(count): {
                    "tick_ms": block,
                    "ratio": _ratio(followers, count),
                    "read_us_per_spectator": 1e6 * towns[count].read_s / (options.ticks * count),
                }
                for count, block in followers.items()
            },
            "sockets": {
                str(count): {"ratio": _ratio(sockets, count), **_told(spell)} for count, spell in spells.items()
            },
        },
        artifacts=(directory,),
    )


def _gates(kind: str, blocks: Mapping[int, Mapping[str, float]], max_ratio: float) -> Sequence[Gate]:
    told = [
        Gate(name=f"{kind}, {count}: processor time of a tick, p50, ms", value=block["p50"])
        for count, block in blocks.items()
    ]
    *_, most = blocks
    ratios = [
        Gate(name=f"{kind}, {count} to 1", value=_ratio(blocks, count), at_most=max_ratio if count == most else None)
        for count in blocks
        if count > 1
    ]
    return (*told, *ratios)


def _ratio(blocks: Mapping[int, Mapping[str, float]], count: int) -> float:
    return blocks[count]["p50"] / blocks[1]["p50"]


def _told(spell: Spell) -> dict[str, JsonValue]:
    used: JsonObject = dict(latency_block([tick.used_s for tick in spell.ticks]))
    clock: JsonObject = dict(latency_block([tick.ended_s - tick.begun_s for tick in spell.ticks]))
    return {
        "tick_ms": used,
        "tick_by_the_clock_ms": clock,
        "cores": spell.cores,
        "messages_per_second": spell.messages / spell.seconds,
        "megabytes_per_second": spell.bytes / spell.seconds / 1e6,
    }


if __name__ == "__main__":
    sys.exit(main())
