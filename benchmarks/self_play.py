"""Time to step matches of self-play: all copies of a shard in one core, and one core per copy.

    python benchmarks/self_play.py --json reports/self_play.json

Both sides play the same matches in `SelfPlayEnvs` with the same random actions, and must show the same. They take
turns on one thread, and the best turn of each counts, so that a busy machine disturbs them alike. The side with a core
per copy builds that core anew when the configuration of a match differs from the one before.
"""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from diorama.contracts.buffers import Buffers
from diorama.contracts.records import StepRecord
from diorama.contracts.tiers import BatchCore, CoreRequest
from diorama.contracts.values import F64, I32, JsonObject, JsonValue
from diorama.engine.tiers import build_core
from diorama.engine.venue import open_venue
from diorama.learn.selfplay.envs import SelfPlayEnvs
from diorama.learn.selfplay.league import League
from diorama.learn.selfplay.matchmaking import Matchmaker
from diorama.learn.settings.selfplay import SelfPlaySettings
from diorama.native import NativeCore
from harness.reports import Findings, Gate
from harness.script import Script, positive

WORLD: Final = "tidebreak"
SCRIPTS: Final = ("idle", "aggressor", "kiter")
CASES: Final[dict[str, dict[str, object]]] = {
    "duels": {"stage": 1, "seats": 2, "observation": "compact", "time_limit_s": 60},
    "skirmishes": {"stage": 4, "seats": 3, "time_limit_s": 120},
    "fixed battle": {"scenario": "corvette_duel", "seats": 1, "observation": "compact"},
}
# Belongs to the step that ended an episode; the reset of another core would overwrite it.
OUTCOME: Final = ("rewards", "terminated", "truncated", "metrics", "dt", "events", "final_obs", "final_obs_u8")


class CorePerCopy(NativeCore):
    """What `SelfPlayEnvs` asks of a core, answered by a core for every copy."""

    def __init__(self, league: League, copies: int) -> None:
        """Build no core yet; `SelfPlayEnvs.reset` reconfigures every copy."""
        self._league = league
        self._cores: list[NativeCore | None] = [None] * copies
        self._slices: list[Buffers] = []

    def step(self, actions: I32, buffers: Buffers) -> None:
        """Advance one copy after the other."""
        agents = self._league.spec.agents
        for copy, own in enumerate(self._slices):
            self._core(copy).step(actions[copy * agents : (copy + 1) * agents], own)

    def reconfigure(
        self, copies: Sequence[int], prototypes: Sequence[BatchCore], seeds: Sequence[int], buffers: Buffers
    ) -> None:
        """Build the cores of these copies anew, and keep the outcome of their last step."""
        venue, agents = self._league.venue, self._league.spec.agents
        # Only one set of buffers is stepped into here.
        self._slices = self._slices or [
            buffers.copies_slice(copy, copy + 1, agents=agents) for copy in range(len(self._cores))
        ]
        for copy, seed in zip(copies, seeds, strict=True):
            active = self._league.active[copy]
            assert active is not None, "a match was drawn for the copy"
            request = CoreRequest(copies=1, seed=seed, threads=1, device="cpu")
            _, _, core = build_core(venue.world, active.setup.config, venue.tier, request)
            own = self._slices[copy]
            kept = {name: getattr(own, name).copy() for name in OUTCOME}
            core.reset([0], None, own)
            for name, values in kept.items():
                getattr(own, name)[...] = values
            assert isinstance(core, NativeCore)
            self._cores[copy] = core

    def reward_parts(self) -> F64:
        """Return the parts of all copies."""
        return np.concatenate([self._core(copy).reward_parts() for copy in range(len(self._cores))])

    def opening_record(self, copy: int) -> StepRecord:
        """Describe the episode the copy has just opened."""
        return self._core(copy).opening_record(0)

    def _core(self, copy: int) -> NativeCore:
        core = self._cores[copy]
        assert core is not None, "reset comes first"
        return core


class Player:
    """Environments that are stepped turn after turn."""

    def __init__(self, config: dict[str, object], copies: int, *, is_batched: bool) -> None:
        """Open the first matches."""
        venue = open_venue(WORLD, config, tier="fast")
        rules = venue.world.matches
        assert rules is not None, "the world has matches"
        maker = Matchmaker(
            rules,
            seed=1,
            self_play=SelfPlaySettings(scripts=SCRIPTS, pool_every=None),
            curriculum=None,
            side_overrides=rules.side_overrides(venue.config),
        )
        self._league = League(venue, maker, copies=copies, seed=1, memory_width=0)
        self._envs = SelfPlayEnvs(
            self._league, 0, copies, core=None if is_batched else CorePerCopy(self._league, copies)
        )
        self.buffers = Buffers.allocate(venue.spec, copies)
        self._numbers = np.random.default_rng(1)
        self._sizes = [len(head.options) for head in venue.spec.heads]
        self._envs.adopt(self.buffers)
        self._envs.reset()

    def play(self, steps: int) -> float:
        """Step so many times and return the seconds."""
        rows = len(self.buffers.rewards)
        columns = [self._numbers.integers(0, size, (steps, rows)) for size in self._sizes]
        actions = np.stack(columns, axis=2).astype(np.int32)
        began = time.perf_counter()
        for chosen in actions:
            self._envs.step(chosen, self.buffers)
        return time.perf_counter() - began

    @property
    def matches(self) -> int:
        """How many matches have ended."""
        return sum(match.number for match in self._league.matches)


def measure(name: str, *, copies: int, steps: int, turns: int) -> JsonObject:
    """Return microseconds per step of a copy on both sides."""
    players = {"batched": True, "core_per_copy": False}
    contenders = {key: Player(CASES[name], copies, is_batched=batched) for key, batched in players.items()}
    best = dict.fromkeys(contenders, float("inf"))
    for _ in range(turns):
        for key, contender in contenders.items():
            best[key] = min(best[key], contender.play(steps))
    one, other = contenders.values()
    micros = {key: seconds / (copies * steps) * 1e6 for key, seconds in best.items()}
    return {
        "case": name,
        "copies": copies,
        "matches": one.matches,
        "microseconds_per_step": {**micros},
        "ratio": micros["core_per_copy"] / micros["batched"],
        "is_equal": one.matches == other.matches and one.buffers.obs.tobytes() == other.buffers.obs.tobytes(),
    }


def main() -> int:
    """Measure, print a table and write the report."""
    script = Script("self_play", __doc__)
    script.parser.add_argument("--copies", type=positive, nargs="+", default=[8, 32, 128])
    script.parser.add_argument("--steps", type=positive, default=200, help="vector steps of a turn")
    script.parser.add_argument("--turns", type=positive, default=5, help="turns of each side")
    return script.run(_findings)


def _findings(options: argparse.Namespace, _: Path) -> Findings:
    cases = [(name, copies) for name in CASES for copies in options.copies]
    rows: list[JsonValue] = []
    table = Table("matches", "copies", "ended", "batched", "core per copy", "ratio", title="µs per step of a copy")
    gates, failures = [], []
    for name, copies in track(cases, description="matches", console=Console(stderr=True)):
        row = measure(name, copies=copies, steps=options.steps, turns=options.turns)
        rows.append(row)
        micros, ratio = row["microseconds_per_step"], row["ratio"]
        assert isinstance(micros, dict)
        assert isinstance(ratio, float)
        numbers = (f"{micros[side]:.2f}" for side in ("batched", "core_per_copy"))
        table.add_row(name, str(copies), str(row["matches"]), *numbers, f"{ratio:.2f}×")
        gates.append(Gate(name=f"{name}, {copies} copies: core per copy by batched", value=ratio))
        if not row["is_equal"]:
            failures.append(f"{name} with {copies} copies: the two sides play different matches")
    Console().print(table)
    return Findings(gates=gates, failures=failures, sections={"rows": rows})


if __name__ == "__main__":
    raise SystemExit(main())
