"""The recorded run the views are tested on; running this module records it anew.

Group A grows two seeds by the clock while one of its two hosts is damaged once; group B learns for two short rounds.
"""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from diorama.contracts.rounds import RoundsPlan
from diorama.contracts.values import JsonObject
from diorama.learn.trainer import Trainer
from diorama.training.envs import ReplaceableEnvs
from diorama.worlds.morphogenesis.config import MorphogenesisConfig
from diorama.worlds.morphogenesis.contracts.events import TelemetryEvent
from diorama.worlds.morphogenesis.controller.schedules import parse_schedule
from diorama.worlds.morphogenesis.controller.scripted import ScheduleController
from diorama.worlds.morphogenesis.engine.event_stream import EventStream
from diorama.worlds.morphogenesis.engine.reference import ReferenceEngine
from diorama.worlds.morphogenesis.engine.world import MorphogenesisWorld
from diorama.worlds.morphogenesis.rounds.running import play_rounds
from diorama.worlds.morphogenesis.rounds.steering import Steering
from diorama.worlds.morphogenesis.views.aggregator import ViewAggregator
from diorama.worlds.morphogenesis.views.reading import EventFollower
from tests.worlds.morphogenesis.learners import Closing, controller_settings, small_batch
from tests.worlds.morphogenesis.small_worlds import SMALL

FOLDER = Path(__file__).parent
EVENTS = FOLDER / "growth.jsonl"
SNAPSHOT = FOLDER / "growth.snapshot.json"
BEGAN = datetime(2026, 1, 1, 12, tzinfo=UTC)
EVERY = timedelta(seconds=0.25)
DAMAGED_AFTER = 3
SCHEDULE = """
1 GERMINATE r0c0 blueprint=conv_light style=linear_add
2 ADVANCE r0c0
6 ADVANCE r0c0
7 GERMINATE r0c1 blueprint=conv_small
8 ADVANCE r0c1
9 ADVANCE r0c0
10 FOSSILIZE r0c0
12 ADVANCE r0c1
14 PRUNE r0c2
"""


def recorded() -> list[TelemetryEvent]:
    """Return the events of the recording."""
    return EventFollower(EVENTS).take()


def aggregated() -> ViewAggregator:
    """Return an aggregator that has seen all of it."""
    aggregator = ViewAggregator()
    aggregator.add(recorded())
    return aggregator


def snapshot() -> JsonObject:
    """Return the pictures of all groups as they are stored."""
    aggregator = aggregated()
    return {group: aggregator.picture(group).to_dict() for group in aggregator.groups}


def _growing() -> list[JsonObject]:
    told: list[TelemetryEvent] = []
    config = MorphogenesisConfig.model_validate({"max_epochs": 15, "val_subset": 120})
    events = EventStream(run="grown", sinks=(told.append,), group_id="A")
    world = MorphogenesisWorld.build(config, ReferenceEngine, envs=2, root_key=5, events=events)
    steering, epochs = Steering(world), iter(range(1, 100))

    def advance() -> None:
        if next(epochs) == DAMAGED_AFTER:
            steering.obey("inject", [1, "nan"], {})

    controller = ScheduleController(parse_schedule("grown", SCHEDULE, config.slot_ids))
    play_rounds(world, controller, name="grown", rounds=1, advance=advance, steering=steering)
    return [event.to_dict() for event in told]


def _learning() -> list[JsonObject]:
    told: list[JsonObject] = []
    settings = controller_settings("scratch", copies=1, config={**SMALL, "max_epochs": 4}, steps=8)
    copies = ReplaceableEnvs(small_batch(1, config={"max_epochs": 4}))
    plan = RoundsPlan(rounds=2, learning_rate=3e-4, clip_coef=0.2, entropy_coefficient=0.05, device="cpu")
    listener = Closing(copies.track_rounds(plan, told.append))
    Trainer(copies, settings.trainer, seed=1, callbacks=[listener]).run(8)
    return [{**document, "group_id": "B"} for document in told]


def _dated(documents: Sequence[JsonObject]) -> list[JsonObject]:
    return [{**document, "timestamp": (BEGAN + place * EVERY).isoformat()} for place, document in enumerate(documents)]


def main() -> None:
    """Record the run, and store what the views make of it."""
    lines = [json.dumps(document, separators=(",", ":")) for document in _dated([*_growing(), *_learning()])]
    EVENTS.write_text("\n".join(lines) + "\n")
    SNAPSHOT.write_text(json.dumps(snapshot(), separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
