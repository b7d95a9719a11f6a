"""Names that the shell completes; it waits meanwhile, so that as little as possible is loaded."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from diorama.contracts.config import WorldConfig
    from diorama.contracts.world import World


def complete_world(incomplete: str) -> Iterator[str]:
    """Offer world ids; no world is loaded."""
    from diorama.worlds.registry import world_ids

    return (name for name in world_ids() if name.startswith(incomplete))


def complete_bot(context: typer.Context, incomplete: str) -> Iterator[str]:
    """Offer the bots of the world that was named before."""
    return (bot for world in _named_worlds(context) for bot in world.bots if bot.startswith(incomplete))


def complete_suite(context: typer.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    """Offer the parity suites of the world that was named before."""
    suites = (suite for world in _named_worlds(context) for suite in world.parity.suites)
    return ((suite.name, suite.summary) for suite in suites if suite.name.startswith(incomplete))


def complete_preset(context: typer.Context, incomplete: str) -> Iterator[str]:
    """Offer the presets of the world that was named before."""
    from diorama.training.presets import preset_names
    from diorama.worlds.registry import world_ids

    named = [world for world in world_ids() if world in _typed(context)]
    return (name for world in named for name in preset_names(world) if name.startswith(incomplete))


def complete_run(context: typer.Context, incomplete: str) -> Iterator[str]:
    """Offer the runs below the root of the runs."""
    from diorama.runs.run import run_ids

    return (run_id for run_id in run_ids(_run_root(context)) if run_id.startswith(incomplete))


def complete_policy(context: typer.Context, incomplete: str) -> Iterator[str]:
    """Offer runs and champions."""
    from diorama.runs.champions import champion_id, champion_worlds

    yield from complete_run(context, incomplete)
    yield from (name for name in map(champion_id, champion_worlds()) if name.startswith(incomplete))


def complete_world_or_run(context: typer.Context, incomplete: str) -> Iterator[str]:
    """Offer worlds, runs and champions."""
    yield from complete_world(incomplete)
    yield from complete_policy(context, incomplete)


def complete_bot_or_run(context: typer.Context, incomplete: str) -> Iterator[str]:
    """Offer everything that can play: bots of the world that was named before, runs and champions."""
    yield from complete_bot(context, incomplete)
    yield from complete_policy(context, incomplete)


def complete_replay(context: typer.Context, incomplete: str) -> Iterator[str]:
    """Offer the replays of the run that was named before, newest first."""
    from diorama.runs.run import open_run, run_ids

    root = _run_root(context)
    named = [run_id for run_id in run_ids(root) if run_id in _typed(context)]
    entries = (entry for run_id in named for entry in reversed(open_run(root, run_id).replay_index().entries))
    return (entry.replay_id for entry in entries if entry.replay_id.startswith(incomplete))


def one_of(*names: str) -> Callable[[str], list[str]]:
    """Return what offers these names."""
    return lambda incomplete: [name for name in names if name.startswith(incomplete)]


def _typed(context: typer.Context) -> list[object]:
    """Words that were typed before; an unfinished line may leave arguments among the rest."""
    return [*context.params.values(), *context.args]


def _run_root(context: typer.Context) -> Path:
    return Path(context.params.get("run_root") or os.environ.get("DIORAMA_RUNS_ROOT") or "runs")


def _named_worlds(context: typer.Context) -> "list[World[WorldConfig]]":
    """The world that was typed before; all of them if none was."""
    from diorama.worlds.registry import load_world, load_worlds, world_ids

    typed = _typed(context)
    return [load_world(name) for name in world_ids() if name in typed] or [*load_worlds().values()]
