"""Whether growing hosts is still as quick as it was: no more than five percent slower than a recorded baseline.

    python benchmarks/morphogenesis_pace.py --json reports/morphogenesis_baseline.json
    python benchmarks/morphogenesis_pace.py --baseline reports/morphogenesis_baseline.json

The short run that events are counted on: one host of `digits_baseline` and its control twin for five epochs, in which a
seed is planted, incubated and pruned. Episodes are played in blocks, the best block of each tier counts, and time is
that of the processor, so that whoever else uses the machine does not. A baseline is worth something on the machine it
was recorded on; another one is refused.
"""

import argparse
import sys
import time
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from diorama.contracts.errors import DocumentError
from diorama.contracts.tiers import Tier
from diorama.contracts.values import JsonObject
from diorama.engine.system_facts import system_facts
from diorama.runs.documents import RawObject, read_document
from diorama.worlds.morphogenesis.config import MorphogenesisConfig
from diorama.worlds.morphogenesis.controller.schedules import parse_schedule
from diorama.worlds.morphogenesis.controller.scripted import ScheduleController
from diorama.worlds.morphogenesis.engine.world import MorphogenesisWorld
from diorama.worlds.morphogenesis.fast import engine_maker
from diorama.worlds.morphogenesis.rounds.running import play_rounds
from harness.reports import Findings, Gate
from harness.script import Script, positive

SLOWER_AT_MOST: Final = 0.05
EPOCHS: Final = 5
SETTINGS: Final = {
    "task": "digits_baseline",
    "max_epochs": EPOCHS,
    "min_prune_age": 1,
    "stabilization_epochs": 6,
}
SCRIPT: Final = """
1 GERMINATE r0c0 blueprint=conv_light
2 ADVANCE r0c0
3 PRUNE r0c0 speed=instant
"""
TIERS: Final = (Tier.REFERENCE, Tier.FAST)
MACHINE: Final = ("cpu_model", "cores")


class Pace(msgspec.Struct, frozen=True, kw_only=True):
    """How quick a tier is."""

    episodes_per_s: Annotated[float, Meta(gt=0)]
    epoch_ms: Annotated[float, Meta(gt=0)]


class Baseline(msgspec.Struct, frozen=True, kw_only=True):
    """What is read of an earlier report."""

    paces: dict[Tier, Pace]
    system: RawObject


def main() -> int:
    """Measure and report."""
    script = Script("morphogenesis_pace", __doc__)
    script.parser.add_argument("--baseline", type=Path, help="an earlier report to hold this one against")
    script.parser.add_argument("--episodes", type=positive, default=4, help="of a block")
    script.parser.add_argument("--blocks", type=positive, default=5, help="of each tier, of which the best counts")
    return script.run(measure)


def measure(options: argparse.Namespace, directory: Path) -> Findings:
    """Measure both tiers, block by block in turn."""
    baseline = None if options.baseline is None else _baseline(options.baseline)
    worlds = {tier: _world(tier) for tier in TIERS}
    best = dict.fromkeys(TIERS, float("inf"))
    for block in range(options.blocks + 1):
        for tier, world in worlds.items():
            taken_s = _play(world, options.episodes)
            if block > 0:  # the first one warms up
                best[tier] = min(best[tier], taken_s)
    paces = {
        tier: Pace(episodes_per_s=options.episodes / taken_s, epoch_ms=1000.0 * taken_s / (options.episodes * EPOCHS))
        for tier, taken_s in best.items()
    }
    sections: JsonObject = {"paces": {tier.value: msgspec.to_builtins(pace) for tier, pace in paces.items()}}
    return Findings(gates=list(_gates(paces, baseline)), sections=sections)


def _baseline(path: Path) -> Baseline:
    found = read_document(path, Baseline)
    here = system_facts()
    for fact in MACHINE:
        if found.system.get(fact) != here.get(fact):
            raise DocumentError(
                f"{path}: was recorded with {fact} {found.system.get(fact)!r}; this machine has {here.get(fact)!r},"
                " record a baseline of its own"
            )
    if missing := [tier.value for tier in TIERS if tier not in found.paces]:
        raise DocumentError(f"{path}: has no pace of the tier {missing[0]!r}; record it anew")
    return found


def _gates(paces: dict[Tier, Pace], baseline: Baseline | None) -> list[Gate]:
    gates: list[Gate] = []
    for tier, pace in paces.items():
        was = None if baseline is None else baseline.paces[tier]
        gates += [
            Gate(
                name=f"{tier.value}, episodes/s",
                value=pace.episodes_per_s,
                at_least=None if was is None else was.episodes_per_s * (1.0 - SLOWER_AT_MOST),
            ),
            Gate(
                name=f"{tier.value}, ms per epoch",
                value=pace.epoch_ms,
                at_most=None if was is None else was.epoch_ms * (1.0 + SLOWER_AT_MOST),
            ),
        ]
    return gates


def _world(tier: Tier) -> MorphogenesisWorld:
    config = MorphogenesisConfig.model_validate(SETTINGS)
    return MorphogenesisWorld.build(config, engine_maker(tier), envs=1, root_key=42)


def _play(world: MorphogenesisWorld, episodes: int) -> float:
    schedule = parse_schedule("short", SCRIPT, world.nursery.slots.slot_ids)
    began = time.process_time()
    played = play_rounds(world, ScheduleController(schedule), name="short", rounds=episodes)
    taken_s = time.process_time() - began
    if any(episode.planted != 1 or episode.result.prune_count != 1 for episode in played.episodes):
        raise DocumentError("the script was not carried out; its operations must be valid at their epochs")
    return taken_s


if __name__ == "__main__":
    sys.exit(main())
