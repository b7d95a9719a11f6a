"""The four rehearsals of a town: which town, which commands, what must come of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from diorama.cli.townlet.rehearse_drills import TOWN_DRILLS
from diorama.contracts.config import parse_config
from diorama.operate.live.runtime import LiveRuntime
from diorama.operate.rehearsals.console import rehearse_console
from diorama.operate.rehearsals.drills import Drill, drills_of
from diorama.operate.rehearsals.promotion import Trouble, rehearse_promotion
from diorama.operate.rehearsals.rehearsal import Rehearsal
from diorama.operate.rehearsals.story import Story, rehearse_story
from diorama.operate.rehearsals.theater import Theater
from diorama.worlds.registry import load_world
from diorama.worlds.townlet.config.loading import overlaid
from diorama.worlds.townlet.config.simulation import TownletConfig
from diorama.worlds.townlet.scenarios.loading import load_scenario
from diorama.worlds.townlet.scenarios.opening import config_of

_WORLD: Final = "townlet"
_STORY: Final = "demo_story_arc"
_CATEGORIES: Final = ("arrival", "utility_outage")
_SMALL: Final = "small"
_HUNGRY_TICKS: Final = 10
_SILENT: Final = {"telemetry": {"transport": {"type": "none"}}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """Where and with whom it is rehearsed; `policy` names a run of `run_root`, None for one trained on the spot."""

    root: Path
    run_root: Path
    policy: str | None
    seed: int
    window_ticks: int


def play_promotion(rehearsal: Rehearsal, occasion: Occasion) -> None:
    """Promote a small policy over the script, starve somebody, and go back."""
    # Whatever trains is loaded where it is needed: the other rehearsals begin at once.
    from diorama.cli.townlet.cloning import shaping_of
    from diorama.cli.townlet.rehearse_training import train_small

    candidate, run_root = occasion.policy, occasion.run_root
    if candidate is None:
        candidate, run_root = _SMALL, occasion.root / "runs"
        detail = train_small(run_root, candidate, occasion.seed)
        rehearsal.check("a small policy is trained", True, detail=detail)
    config = overlaid(
        {**shaping_of("default"), **_SILENT},
        {
            # A rehearsal is short: so are its windows, and the patience with hunger.
            "stability": {
                "promotion": {"window_ticks": occasion.window_ticks},
                "starvation": {"min_duration_ticks": _HUNGRY_TICKS},
            }
        },
    )
    trouble = Trouble(
        orders=(Drill("setneed", ("citizen_000", "hunger", 0.0)),), canary="starvation_spike", ticks=5 * _HUNGRY_TICKS
    )
    with _theater(config, occasion, run_root=run_root) as theater:
        # On its first day nobody has been to work yet.
        theater.run(TownletConfig().world.ticks_per_day)
        rehearsal.check("the town has lived through its first day", True, tick=theater.tick)
        rehearse_promotion(rehearsal, theater, candidate, trouble)


def play_anneal(rehearsal: Rehearsal, occasion: Occasion) -> None:
    """Capture, clone through a gate, and hand over in short stages."""
    from diorama.cli.townlet.rehearse_training import anneal_small, capture_small
    from diorama.learn.imitation.anneal import AnnealStatus

    dataset, detail = capture_small(occasion.root / "datasets")
    rehearsal.check("a dataset is captured", True, detail=detail)
    report = anneal_small(dataset, occasion.root / "runs", occasion.seed)
    for stage in report.stages:
        name = f"stage {stage.cycle}: {stage.mode.value}"
        has_passed = stage.passed is not False
        flags = f", flags {', '.join(stage.flags)}" if stage.flags else ""
        reached = f"accuracy {stage.accuracy:.3f}" if stage.accuracy is not None else f"ratio {stage.ratio}{flags}"
        rehearsal.check(name, has_passed, detail="; ".join(stage.shortcomings) or reached)
    is_over = report.status is not AnnealStatus.FAIL
    rehearsal.check("the policy has taken over", is_over, detail=f"{report.status.value}, {report.policy_hash[:12]}")


def play_demo(rehearsal: Rehearsal, occasion: Occasion) -> None:
    """Play the story of the demo scenario live."""
    stored = load_scenario(_STORY)
    orders = {entry.tick: Drill(entry.name, entry.args, entry.kwargs) for entry in stored.scenario.timeline}
    events = next(expectation.order for expectation in stored.scenario.expect if expectation.order is not None)
    story = Story(orders=orders, ticks=stored.scenario.ticks, events=events, categories=_CATEGORIES)
    config = overlaid(config_of(stored).model_dump(mode="json"), _SILENT)
    with _theater(config, occasion) as theater:
        rehearse_story(rehearsal, theater, story)


def play_console(rehearsal: Rehearsal, occasion: Occasion) -> None:
    """Give every command."""
    with _theater({**_SILENT, "world": {"population": 3}}, occasion) as theater:
        rehearse_console(rehearsal, theater, drills_of(TOWN_DRILLS))


def _theater(
    config: Mapping[str, object],
    occasion: Occasion,
    *,
    run_root: Path | None = None,
) -> Theater:
    world = load_world(_WORLD)
    return Theater(
        LiveRuntime.open(
            world,
            parse_config(_WORLD, world.config_type, config),
            speed="max",
            root=occasion.root / "live",
            seed=occasion.seed,
            run_root=run_root or occasion.run_root,
            is_deterministic=True,
        )
    )
