"""Battles in the middle of a catastrophe: hulls wrecked, boarders aboard, the air full of munitions."""

from collections.abc import Callable
from random import Random
from typing import Final

from diorama.numerics import TWO_PI, sincos
from diorama.worlds.tidebreak.codes import ConnectionState, MunitionKind, UnitStatus
from diorama.worlds.tidebreak.reference.components import Compartment, Hull, Munition
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.resolve import ResolvedPackage
from tests.worlds.tidebreak.reference.battles import Document, package, ship

GRID_M: Final = 700.0
ROW: Final = 3
CLASSES: Final = (
    *("cutter", "corvette", "frigate", "dreadnought", "carrier", "arcology", "attack_sub", "deep_runner"),
    *("assault_transport", "freighter", "rig", "fortress"),
)
WEAPONS: Final = ("AC30", "G127", "T450", "T533", "T324", "DPT", "M80", "DC", "MN", "PD", "AIR")
BELOW: Final = ("attack_sub", "deep_runner")


def crowded_battle(draw: Random) -> ResolvedPackage:
    """Two teams of three, close together, some with weapons they do not usually carry."""
    ships = [_ship(draw, index) for index in range(6)]
    flags = {name: draw.random() < 0.5 for name in ("fog", "friendly_fire", "allow_friendly_orders")}
    return package(*ships, rules=flags, seed=draw.randrange(1 << 32))


def disturb(battle: Battle, draw: Random) -> None:
    """Leave nothing as it was."""
    for unit in battle.units:
        _wreck(unit, draw)
    for unit in battle.units:
        enemies = [other for other in battle.units if other.team != unit.team]
        if draw.random() < 0.4:
            _bring_alongside(unit, draw.choice(enemies), draw)
    for _ in range(30):
        _put_in_flight(battle, draw)


def _ship(draw: Random, index: int) -> Document:
    class_id = draw.choice(CLASSES)
    weapons = [{"slot": slot, "weapon_type": draw.choice(WEAPONS), "facing": "O"} for slot in range(6)]
    more: Document = {"weapons": weapons} if draw.random() < 0.4 else {}
    return ship(
        f"s{index}",
        ("red", "blue")[index % 2],
        class_id,
        x=GRID_M * (index % ROW),
        y=GRID_M * (index // ROW),
        heading=draw.uniform(0.0, 6.0),
        layer="SUBMERGED" if class_id in BELOW and draw.random() < 0.7 else "SURFACE",
        **more,
    )


def _wreck(unit: Unit, draw: Random) -> None:
    hull = unit.hull
    hull.hp = unit.spec.hull.hp_max * draw.choice((0.02, 0.2, 0.34, 1.0))
    hull.systems[draw.randrange(5)] = draw.random()
    places: list[Compartment | Hull] = [*unit.compartments, hull]
    for place in places:
        place.fire, place.flood = draw.choice((0.0, 0.3, 0.6)), draw.choice((0.0, 0.3, 0.75, 0.9))
    for compartment in unit.compartments:
        compartment.integrity = draw.choice((0.0, 0.4, 1.0))
        compartment.breached = compartment.integrity == 0.0
    unit.morale.morale, unit.posture.dc_focus = draw.random(), draw.randrange(4)
    unit.crew.marines = draw.choice((0.0, 0.7, 40.0, 300.0))
    if draw.random() < 0.1:
        unit.mark(draw.choice((UnitStatus.SURRENDERED, UnitStatus.DISABLED)))


def _bring_alongside(unit: Unit, target: Unit, draw: Random) -> None:
    """Put a unit next to another and let it be somewhere in a boarding."""
    unit.transform.x = target.x + unit.spec.hull.radius_m + target.spec.hull.radius_m + draw.uniform(20.0, 70.0)
    unit.transform.y = target.y
    unit.motion.vx, unit.motion.vy = target.motion.vx, target.motion.vy
    boarding = unit.boarding
    boarding.state, boarding.target_id = draw.choice(list(ConnectionState)), target.id
    boarding.timer, boarding.attached_ticks = draw.randrange(40), draw.randrange(200)
    boarding.transferred = draw.choice((0.5, 5.0, 60.0, 500.0))
    boarding.progress = draw.choice(([0.0, 0.0, 0.0], [1.0, 0.999, 0.0], [1.0, 1.0, 0.999]))


def _put_in_flight(battle: Battle, draw: Random) -> None:
    """Add a munition on its way to some unit, and now and then a decoy beside that unit."""
    owner, target = draw.choice(battle.units), draw.choice(battle.units)
    weapon = draw.choice([weapon for weapon in battle.spec.weapons if weapon.kind >= 0])
    bearing, range_m = draw.uniform(0.0, TWO_PI), draw.uniform(5.0, 1200.0)
    sine, cosine = sincos(bearing)
    _add(
        battle,
        owner,
        kind=weapon.kind,
        weapon_code=weapon.code,
        place=(target.x + range_m * cosine, target.y + range_m * sine),
        aim=(target.x + draw.gauss(0.0, 20.0), target.y + draw.gauss(0.0, 20.0)),
        speed=weapon.speed_ms,
        target_layers=weapon.hits_mask,
        rounds=weapon.rounds,
        damage=weapon.damage,
        remaining=draw.uniform(0.0, 12.0),
        chance=draw.random,
    )
    if draw.random() < 0.3:
        place = (target.x + draw.gauss(0.0, 60.0), target.y + draw.gauss(0.0, 60.0))
        _add(battle, target, kind=MunitionKind.DECOY, weapon_code=-1, place=place, aim=place, chance=draw.random)


def _add(
    battle: Battle,
    owner: Unit,
    *,
    kind: int,
    weapon_code: int,
    place: tuple[float, float],
    aim: tuple[float, float],
    chance: Callable[[], float],
    speed: float = 0.0,
    target_layers: int = 0,
    rounds: int = 1,
    damage: float = 0.0,
    remaining: float = 60.0,
) -> None:
    battle.munitions.append(
        Munition(
            id=battle.take_entity_id(),
            kind=kind,
            weapon_code=weapon_code,
            owner_id=owner.id,
            team=owner.team,
            x=place[0],
            y=place[1],
            heading=TWO_PI * chance(),
            speed=speed,
            launch_layer=owner.layer.layer,
            target_layers=target_layers,
            aim_x=aim[0],
            aim_y=aim[1],
            lock_id=0,
            remaining=remaining,
            run=600.0 * chance(),
            rounds=rounds,
            spread=40.0 * chance(),
            damage=damage,
            armed_at=battle.tick - int(60.0 * chance()),
            search=chance() < 0.2,
            fired_event=1,
        )
    )
