"""Which components of which entities differ between two replays after a tick, found by simulating both again."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

import numpy as np

from diorama.runs.replays.frames import action_rows
from diorama.runs.replays.reader import ReplayReader
from diorama.runs.replays.verify import replay_venue
from diorama.snapshots import unpack_snapshot
from diorama.worlds.tidebreak.config import TidebreakConfig
from diorama.worlds.tidebreak.reference.simulation import TidebreakSimulation
from diorama.worlds.tidebreak.reference.state import Battle

_SEQUENCE_WORDS = 3
_UNIT_PARTS = (
    "identity",
    "transform",
    "motion",
    "layer",
    "posture",
    "hull",
    "crew",
    "morale",
    "stores",
    "mounts",
    "compartments",
    "contact_memory",
    "boarding",
    "objective",
    "tally",
    "tracks",
)


def component_differences(first: ReplayReader, second: ReplayReader, frame_index: int, *, tier: str) -> tuple[str, ...]:
    """Return the differing components after the step of a frame, entity by entity."""
    return tuple(_differences(_battle_after(first, frame_index, tier), _battle_after(second, frame_index, tier)))


def _battle_after(reader: ReplayReader, frame_index: int, tier: str) -> Battle:
    """Take the recorded steps again; the last one in the readable tier, where a battle that ends stays to be seen."""
    venue, sidecar = replay_venue(reader.sidecar, tier=tier), reader.sidecar
    assert isinstance(venue.config, TidebreakConfig), "only replays of this world are compared"
    batch = venue.batch(venue.config, 1)
    batch.reset([sidecar.seed])
    decisions = [
        action_rows(venue.spec, frame.action, where=f"{reader.path} frame {frame.frame_index}")
        for frame in reader.frames(0, frame_index + 1)
    ]
    for rows in decisions[:-1]:
        batch.step(rows)
    _, words = unpack_snapshot(batch.snapshot(0), venue.spec.snapshot_magic, venue.spec.snapshot_version)
    batch.close()
    simulation = TidebreakSimulation(venue.config)
    simulation.load_words(np.array(words[_SEQUENCE_WORDS:]))
    simulation.step([tuple(row) for row in decisions[-1].tolist()])
    return simulation.arena.battle


def _differences(one: Battle, other: Battle) -> Iterator[str]:
    for name in ("tick", "seed", "next_entity_id"):
        yield from _compare(f"battle.{name}", getattr(one, name), getattr(other, name))
    for left, right in zip(one.units, other.units, strict=False):
        whose = f"unit {left.spec.ship_id or left.id}"
        for part in _UNIT_PARTS:
            yield from _compare(f"{whose}: {part}", getattr(left, part), getattr(right, part))
    yield from _compare("number of units", len(one.units), len(other.units))
    others = {munition.id: munition for munition in other.munitions}
    for munition in one.munitions:
        yield from _compare(f"munition {munition.id}", munition, others.get(munition.id))
    yield from _compare("storms", one.storms, other.storms)
    if one.fields.state_hash() != other.fields.state_hash():
        yield "fields: their contents differ"


def _compare(path: str, one: object, other: object) -> Iterator[str]:
    if is_dataclass(one) and is_dataclass(other) and type(one) is type(other):
        for field in fields(one):
            yield from _compare(f"{path}.{field.name}", getattr(one, field.name), getattr(other, field.name))
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for place, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from _compare(f"{path}[{place}]", left, right)
    elif one != other:
        yield f"{path}: {one!r} and {other!r}"
