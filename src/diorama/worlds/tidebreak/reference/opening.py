"""The first state of a battle."""

from diorama.numerics import sincos
from diorama.worlds.tidebreak.reference.components import (
    Compartment,
    Crew,
    Hull,
    Identity,
    LayerState,
    Morale,
    Motion,
    Mount,
    Objective,
    Posture,
    Stores,
    Storm,
    Transform,
)
from diorama.worlds.tidebreak.reference.events import EventKind, EventLog
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.static_fields import open_fields
from diorama.worlds.tidebreak.resolve import ResolvedPackage, ResolvedUnit
from diorama.worlds.tidebreak.resolve.records import ResolvedStorm


def open_battle(package: ResolvedPackage, *, seed: int | None = None, is_collecting: bool = False) -> Battle:
    """Set up a battle at tick 0, before anybody has sensed anything.

    Args:
        package: What to fight.
        seed: Of every draw; the package's own unless given.
        is_collecting: Whether events are kept.
    """
    battle = Battle(
        package=package,
        tick=0,
        seed=package.battle.seed if seed is None else seed,
        next_entity_id=len(package.battle.units) + 1,
        units=[open_unit(spec) for spec in package.battle.units],
        munitions=[],
        storms=[_storm(storm) for storm in package.battle.map.storms],
        fields=open_fields(package.battle),
        log=EventLog(is_collecting=is_collecting),
    )
    battle.record(EventKind.BATTLE_START)
    return battle


def open_unit(spec: ResolvedUnit) -> Unit:
    """A unit as it enters the battle."""
    hull, start, crew = spec.hull, spec.start, spec.crew
    sine, cosine = sincos(start.heading)
    return Unit(
        spec=spec,
        identity=Identity(
            id=spec.id,
            kind=hull.kind,
            class_code=hull.class_code,
            team=spec.team,
            status=0,
            size=hull.size,
            tier=hull.damage_tier,
        ),
        transform=Transform(x=start.x, y=start.y, heading=start.heading),
        motion=Motion(vx=start.speed_ms * cosine, vy=start.speed_ms * sine),
        layer=LayerState(layer=int(start.layer)),
        posture=Posture(),
        hull=Hull(
            hp=start.hp,
            systems=list(start.systems),
            ceilings=list(start.ceilings),
            fire=start.fire,
            flood=start.flood,
        ),
        crew=Crew(
            alive=crew.crew_start,
            running_loss=0.0,
            killed=0,
            wounded=0,
            marines=float(crew.marines),
            security=float(crew.security),
            gunnery=crew.gunnery,
            engineering=crew.engineering,
            fatigue=crew.fatigue,
            command=crew.command,
        ),
        morale=Morale(morale=crew.morale, morale_start=crew.morale),
        stores=Stores(fuel=start.fuel_s, decoys=start.decoys),
        mounts=[Mount(ready_at=0, ammo=mount.ammo) for mount in spec.mounts],
        compartments=[
            Compartment(part.integrity, part.fire, part.flood, part.breached, part.crew) for part in start.compartments
        ],
        objective=Objective() if spec.objective is None else Objective(type=spec.objective.type),
    )


def _storm(storm: ResolvedStorm) -> Storm:
    return Storm(
        x=storm.x,
        y=storm.y,
        vx=storm.vx,
        vy=storm.vy,
        radius=storm.radius_m,
        intensity=storm.intensity,
        profile=storm.profile,
        ends_at_tick=storm.ends_at_tick,
    )
