"""Mounts and sensors that must exist and be loaded within bounds."""

from collections.abc import Iterator

from diorama.worlds.tidebreak.content import Content
from diorama.worlds.tidebreak.limits import MOUNTS_MAX
from diorama.worlds.tidebreak.packages.draft import Draft
from diorama.worlds.tidebreak.packages.problems import Problem
from diorama.worlds.tidebreak.packages.ships import ShipSnapshot
from diorama.worlds.tidebreak.packages.structure import dotted
from diorama.worlds.tidebreak.resolve.equipment import magazine, mounts_of
from diorama.worlds.tidebreak.resolve.records import UNLIMITED


def check_sensors(draft: Draft, _content: Content) -> Iterator[Problem]:
    """P004: one sensor of a type at most."""
    for index, ship in draft.ships:
        seen: set[str] = set()
        for place, sensor in enumerate(ship.sensors or ()):
            if sensor.sensor_type in seen:
                path = dotted("ships", index, "sensors", place, "sensor_type")
                yield Problem("P004", path, f"{sensor.sensor_type} is listed already")
            seen.add(sensor.sensor_type)


def check_mounts(draft: Draft, content: Content) -> Iterator[Problem]:
    """P033, P036: weapons, slots and rounds."""
    for index, ship in draft.ships:
        yield from _weapons(index, ship, content)
        yield from _rounds(index, ship, content)


def _weapons(index: int, ship: ShipSnapshot, content: Content) -> Iterator[Problem]:
    weapons = ship.weapons or ()
    at = ("ships", index, "weapons")
    if len(weapons) > MOUNTS_MAX:
        yield Problem("P033", dotted(*at), f"there are {len(weapons)}; a unit has at most {MOUNTS_MAX} mounts")
    slots: set[int] = set()
    for place, config in enumerate(weapons):
        if config.slot in slots:
            yield Problem("P033", dotted(*at, place, "slot"), f"slot {config.slot} is taken already")
        slots.add(config.slot)
        weapon = content.weapons.get(config.weapon_type)
        if weapon is None:
            known = ", ".join(content.weapons)
            message = f"{config.weapon_type!r} is no weapon; there are: {known}"
            yield Problem("P033", dotted(*at, place, "weapon_type"), message)
        elif config.ammunition is not None and weapon.fire.ammo is not None and config.ammunition > weapon.fire.ammo:
            message = f"{config.ammunition} is above the {weapon.fire.ammo} of a {weapon.id}"
            yield Problem("P036", dotted(*at, place, "ammunition"), message)


def _rounds(index: int, ship: ShipSnapshot, content: Content) -> Iterator[Problem]:
    given = ship.initial_state.ammo or {}
    mounts = {config.slot: config for config in mounts_of(ship, content)}
    for slot, rounds in sorted(given.items()):
        path = dotted("ships", index, "initial_state", "ammo", slot)
        config = mounts.get(slot)
        if config is None:
            yield Problem("P036", path, f"there is no mount in slot {slot}")
            continue
        weapon = content.weapons.get(config.weapon_type)
        full = UNLIMITED if weapon is None else magazine(weapon, config.ammunition)
        if full != UNLIMITED and rounds > full:
            yield Problem("P036", path, f"{rounds} is above the mount's {full}")
