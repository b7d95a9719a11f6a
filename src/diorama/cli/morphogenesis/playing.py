"""Rounds as the commands run them: from options to a played run, with its events in a file."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import typer

from diorama.cli.morphogenesis.options import RunSettings
from diorama.contracts.config import parse_config
from diorama.contracts.errors import DioramaError
from diorama.engine.line_files import LineFile
from diorama.worlds.morphogenesis.config import MorphogenesisConfig
from diorama.worlds.morphogenesis.contract import WORLD_ID
from diorama.worlds.morphogenesis.contracts.errors import DatasetUnavailable, RollbackFailed, TrainingDiverged
from diorama.worlds.morphogenesis.contracts.events import TelemetryEvent
from diorama.worlds.morphogenesis.controller.deciding import Controller
from diorama.worlds.morphogenesis.controller.schedules import parse_schedule
from diorama.worlds.morphogenesis.controller.scripted import ScheduleController
from diorama.worlds.morphogenesis.engine.event_stream import EventSink, EventStream
from diorama.worlds.morphogenesis.engine.nursery import Nursery
from diorama.worlds.morphogenesis.engine.world import MorphogenesisWorld
from diorama.worlds.morphogenesis.fast import engine_maker
from diorama.worlds.morphogenesis.rounds.controllers import controller_named
from diorama.worlds.morphogenesis.rounds.running import PlayedRun, play_rounds

EXIT_CODES: Final[dict[type[DioramaError], int]] = {DatasetUnavailable: 3, TrainingDiverged: 4, RollbackFailed: 5}


@contextmanager
def exit_codes() -> Iterator[None]:
    """End with the exit code of what went wrong, after one line about it."""
    try:
        yield
    except tuple(EXIT_CODES) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(EXIT_CODES[type(error)]) from None


def config_of(settings: RunSettings) -> MorphogenesisConfig:
    """Return the configuration that was asked for."""
    return parse_config(WORLD_ID, MorphogenesisConfig, settings.values())


def play(settings: RunSettings, controller: str, *, group_id: str, advance: Callable[[], None]) -> PlayedRun:
    """Play the rounds that were asked for under a controller, given by its name or as a file with a schedule."""
    config = config_of(settings)
    with event_file(settings) as sinks:
        world = MorphogenesisWorld.build(
            config,
            engine_maker(settings.tier),
            envs=settings.envs,
            root_key=settings.root_key,
            events=EventStream(run=Path(controller).stem, sinks=sinks, group_id=group_id),
        )
        return play_rounds(
            world,
            _deciding(controller, world.nursery),
            name=Path(controller).stem,
            rounds=settings.rounds,
            advance=advance,
        )


@contextmanager
def event_file(settings: RunSettings) -> Iterator[tuple[EventSink, ...]]:
    """Open the file that events go to; nothing where none was named."""
    if settings.telemetry is None:
        yield ()
        return
    with LineFile(settings.telemetry) as lines:

        def write(event: TelemetryEvent) -> None:
            lines.append(json.dumps(event.to_dict(), allow_nan=False, separators=(",", ":")).encode())

        yield (write,)


def _deciding(controller: str, nursery: Nursery) -> Controller:
    path = Path(controller)
    if not path.is_file():
        return controller_named(controller, nursery)
    return ScheduleController(parse_schedule(path.stem, path.read_text(encoding="utf-8"), nursery.slots.slot_ids))
