"""The record of a squadron, which no package lists."""

from typing import Final

from diorama.worlds.tidebreak.codes import Layer, LinkTier, SizeClass, UnitKind, WeaponGroup
from diorama.worlds.tidebreak.reference.state import Battle
from diorama.worlds.tidebreak.resolve.unit_records import (
    ResolvedCrew,
    ResolvedHull,
    ResolvedSensors,
    ResolvedSignature,
    ResolvedStart,
    ResolvedUnit,
    ResolvedWeapon,
)

CRAFT_HP: Final = 15.0
ENDURANCE_S: Final = 420.0
RADIUS_M: Final = 15.0
CLASS_NAME: Final = "squadron"
CLASS_CODE: Final = 255
SIGNATURE: Final = ResolvedSignature(radar_index=8.0, visual_index=0.15, sl0_db=0.0, slk_db=0.0, ts_db=0.0)
SENSORS: Final = ResolvedSensors(
    radar_range_m=None, di_db=None, ping_db=None, visual_factor=1.0, tracks_max=0, link_tier=int(LinkTier.T0)
)
CREW: Final = ResolvedCrew(
    crew_start=0,
    gunnery=0.5,
    engineering=0.0,
    fatigue=0.0,
    morale=1.0,
    command=0.5,
    marines=0,
    security=0,
)


def squadron_spec(battle: Battle, squadron_id: int, team: int) -> ResolvedUnit:
    """Describe the craft of an air wing as one unit; where it is and how many are left is state."""
    weapon = next(weapon for weapon in battle.spec.weapons if weapon.group == WeaponGroup.AIR)
    return ResolvedUnit(
        id=squadron_id,
        ship_id=f"{CLASS_NAME}-{squadron_id}",
        package_index=-1,
        team=team,
        is_flagship=False,
        no_surrender=True,
        fleet_id=None,
        fuel_capacity_s=ENDURANCE_S,
        hull=_hull(weapon),
        signature=SIGNATURE,
        sensors=SENSORS,
        mounts=(),
        crew=CREW,
        start=_start(weapon),
        objective=None,
    )


def _hull(weapon: ResolvedWeapon) -> ResolvedHull:
    return ResolvedHull(
        class_code=CLASS_CODE,
        class_name=CLASS_NAME,
        kind=int(UnitKind.SQUADRON),
        size=int(SizeClass.S),
        damage_tier=0,
        boarding_tier=0,
        compartments=0,
        cost=0.0,
        mass_t=0.0,
        radius_m=RADIUS_M,
        draught_m=0.0,
        hp_max=float(weapon.rounds) * CRAFT_HP,
        armour=0.0,
        speed_ms=(weapon.speed_ms, 0.0, 0.0),
        layers_mask=1 << Layer.SURFACE,
        is_submarine=False,
        acceleration=0.0,
        turn_rate=weapon.turn_rate,
        turn_lag_s=1.0,
        dive_s=0.0,
        deep_s=0.0,
        bulkhead=0.0,
    )


def _start(weapon: ResolvedWeapon) -> ResolvedStart:
    whole = (1.0,) * 5
    return ResolvedStart(
        x=0.0,
        y=0.0,
        heading=0.0,
        speed_ms=weapon.speed_ms,
        layer=int(Layer.SURFACE),
        hp=float(weapon.rounds) * CRAFT_HP,
        systems=whole,
        ceilings=whole,
        fire=0.0,
        flood=0.0,
        compartments=(),
        fuel_s=ENDURANCE_S,
        decoys=0,
    )
