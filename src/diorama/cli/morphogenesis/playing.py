"""Rounds as the commands run them: from options to a played run, with its events in a file."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from diorama.cli.morphogenesis.options import RunSettings
from diorama.contracts.config import parse_config
from diorama.contracts.values import JsonObject
from diorama.storage.line_files import LineFile
from diorama.worlds.morphogenesis.config import MorphogenesisConfig
from diorama.worlds.morphogenesis.contract import WORLD_ID
from diorama.worlds.morphogenesis.contracts.events import TelemetryEvent
from diorama.worlds.morphogenesis.controller.deciding import Controller
from diorama.worlds.morphogenesis.controller.schedules import parse_schedule
from diorama.worlds.morphogenesis.controller.scripted import ScheduleController
from diorama.worlds.morphogenesis.engine.event_stream import EventSink, EventStream
from diorama.worlds.morphogenesis.engine.nursery import Nursery
from diorama.worlds.morphogenesis.engine.world import MorphogenesisWorld
from diorama.worlds.morphogenesis.fast import engine_maker
from diorama.worlds.morphogenesis.rounds.controllers import Decider, controller_named, controller_of
from diorama.worlds.morphogenesis.rounds.running import PlayedRun, play_rounds
from diorama.worlds.morphogenesis.rounds.steering import Steering

if TYPE_CHECKING:
    from diorama.cli.morphogenesis.panels.sources import PlayedSource


def config_of(settings: RunSettings) -> MorphogenesisConfig:
    """Return the configuration that was asked for."""
    return parse_config(WORLD_ID, MorphogenesisConfig, settings.values())


def play(
    settings: RunSettings,
    controller: str,
    *,
    group_id: str,
    decider: Decider | None = None,
    advance: Callable[[], None],
    operator: "PlayedSource | None" = None,
) -> PlayedRun:
    """Play the rounds that were asked for under a controller, given by its name or as a file with a schedule.

    Args:
        settings: What was asked for.
        controller: Who decides.
        group_id: What the events call this run.
        decider: Who decides, where that is no controller by name and no schedule.
        advance: Called after every epoch; what it raises ends the run there, and the round is told to its end.
        operator: Who watches, and may interfere.
    """
    config = config_of(settings)
    with event_file(settings) as sinks:
        world = MorphogenesisWorld.build(
            config,
            engine_maker(settings.tier),
            envs=settings.envs,
            root_key=settings.root_key,
            events=EventStream(
                run=Path(controller).stem,
                sinks=sinks if operator is None else (*sinks, operator.tell),
                group_id=group_id,
            ),
        )
        steering = Steering(world)
        if operator is not None:
            operator.attach(steering.obey)
        try:
            return play_rounds(
                world,
                _deciding(controller, world.nursery) if decider is None else controller_of(decider, world),
                name=Path(controller).stem,
                rounds=settings.rounds,
                advance=advance,
                steering=steering,
            )
        finally:
            if world.is_open:
                world.end_early()


@contextmanager
def event_file(settings: RunSettings) -> Iterator[tuple[EventSink, ...]]:
    """Open the file that events go to; nothing where none was named."""
    if settings.telemetry is None:
        yield ()
        return
    with event_lines(settings) as write:

        def hand_on(event: TelemetryEvent) -> None:
            write(event.to_dict())

        yield (hand_on,)


@contextmanager
def event_lines(settings: RunSettings) -> Iterator[Callable[[JsonObject], None]]:
    """Open the same file for events that are documents already; where none was named, they go nowhere."""
    if settings.telemetry is None:
        yield lambda _: None
        return
    with LineFile(settings.telemetry) as lines:

        def write(event: JsonObject) -> None:
            lines.append(json.dumps(event, allow_nan=False, separators=(",", ":")).encode())

        yield write


def _deciding(controller: str, nursery: Nursery) -> Controller:
    path = Path(controller)
    if not path.is_file():
        return controller_named(controller, nursery)
    return ScheduleController(parse_schedule(path.stem, path.read_text(encoding="utf-8"), nursery.slots.slot_ids))
