"""Which contacts stand in which row; the next decision names them by it."""

from dataclasses import dataclass

from diorama.numerics import hyp
from diorama.worlds.tidebreak.layout import (
    CONTACT_ROWS,
    FIRST_MATE_ROW,
    FIRST_MUNITION_ROW,
    HOSTILE_ROWS,
    MATE_ROWS,
    MUNITION_ROWS,
)
from diorama.worlds.tidebreak.reference.components import MateFix, Munition, Track
from diorama.worlds.tidebreak.reference.contacts import contact_order
from diorama.worlds.tidebreak.reference.sensing.incoming import sensed_munitions
from diorama.worlds.tidebreak.reference.state import Battle, Unit


@dataclass(frozen=True, slots=True)
class ContactRows:
    """The three parts of the contact table, each from its first row on."""

    tracks: list[Track]
    mates: list[MateFix]
    munitions: list[Munition]


def contact_rows(battle: Battle, unit: Unit) -> ContactRows:
    """Choose and sort the contacts of a unit."""
    mates = sorted(unit.memory.mate_fixes, key=lambda fix: (hyp(fix.x - unit.x, fix.y - unit.y), fix.unit_id))
    return ContactRows(
        tracks=contact_order(unit)[:HOSTILE_ROWS],
        mates=mates[:MATE_ROWS],
        munitions=sensed_munitions(battle, unit)[:MUNITION_ROWS],
    )


def publish_contacts(battle: Battle) -> None:
    """Close a tick for all who look: keep what their rows stand for and count what they hold."""
    for unit in battle.present_units():
        remember_rows(battle, unit)
        if battle.tick > 0:  # the look before the first tick is not counted
            unit.memory.contacts_sum += len(contact_order(unit))


def remember_rows(battle: Battle, unit: Unit) -> None:
    """Keep what the rows stand for: track ids, unit ids, munition ids; 0 where a row is empty."""
    rows = contact_rows(battle, unit)
    ids = [0] * CONTACT_ROWS
    for row, track in enumerate(rows.tracks):
        ids[row] = track.track_id
    for row, fix in enumerate(rows.mates):
        ids[FIRST_MATE_ROW + row] = fix.unit_id
    for row, munition in enumerate(rows.munitions):
        ids[FIRST_MUNITION_ROW + row] = munition.id
    unit.memory.contact_rows = ids
