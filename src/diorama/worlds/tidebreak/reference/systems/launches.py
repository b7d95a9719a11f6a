"""Munitions as they leave a ship."""

from typing import Final

from diorama.numerics import atan2, hyp, norm2pi, sincos
from diorama.worlds.tidebreak.codes import MunitionKind
from diorama.worlds.tidebreak.reference.components import Munition
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.reference.systems.ballistics import charge_spread_m, effective_gunnery, gun_spread_m
from diorama.worlds.tidebreak.reference.systems.weather import local_weather
from diorama.worlds.tidebreak.resolve.unit_records import ResolvedWeapon

CHARGE_SINKS_S: Final = 6.0
MINE_ASTERN_M: Final = 30.0
MINE_ARMS_AFTER_TICKS: Final = 20


def launch(battle: Battle, unit: Unit, weapon: ResolvedWeapon, aim: tuple[float, float], fired_event: int) -> None:
    """Put a munition into the battle, at the ship and on the course to its aim point; mines go astern."""
    range_m = hyp(aim[0] - unit.x, aim[1] - unit.y)
    is_mine = weapon.kind == MunitionKind.MINE
    x, y = _astern(unit) if is_mine else (unit.x, unit.y)
    battle.munitions.append(
        Munition(
            id=battle.take_entity_id(),
            kind=weapon.kind,
            weapon_code=weapon.code,
            owner_id=unit.id,
            team=unit.team,
            x=x,
            y=y,
            heading=unit.heading if is_mine else norm2pi(atan2(aim[1] - unit.y, aim[0] - unit.x)),
            speed=weapon.speed_ms,
            launch_layer=unit.layer.layer,
            target_layers=weapon.hits_mask,
            aim_x=aim[0],
            aim_y=aim[1],
            lock_id=0,
            remaining=_flight_s(weapon, range_m),
            run=0.0,
            rounds=weapon.rounds,
            spread=_spread_m(battle, unit, weapon, range_m),
            damage=weapon.damage,
            armed_at=battle.tick + MINE_ARMS_AFTER_TICKS if is_mine else battle.tick,
            search=False,
            fired_event=fired_event,
        )
    )


def _astern(unit: Unit) -> tuple[float, float]:
    s, c = sincos(unit.heading)
    return unit.x - MINE_ASTERN_M * c, unit.y - MINE_ASTERN_M * s


def _flight_s(weapon: ResolvedWeapon, range_m: float) -> float:
    """Time until rounds fall or charges burst, or until a torpedo or missile has no fuel left; mines wait."""
    match weapon.kind:
        case MunitionKind.SALVO:
            return range_m / weapon.speed_ms
        case MunitionKind.CHARGE:
            return range_m / weapon.speed_ms + CHARGE_SINKS_S
        case MunitionKind.TORPEDO | MunitionKind.MISSILE:
            return weapon.range_m / weapon.speed_ms
        case _:
            return 0.0


def _spread_m(battle: Battle, unit: Unit, weapon: ResolvedWeapon, range_m: float) -> float:
    if weapon.kind == MunitionKind.CHARGE:
        return charge_spread_m(weapon, range_m)
    if weapon.kind != MunitionKind.SALVO:
        return 0.0
    return gun_spread_m(
        weapon,
        range_m,
        gunnery=effective_gunnery(unit.crew.gunnery, unit.crew.fatigue),
        size=unit.identity.size,
        sea_state=local_weather(battle, unit.x, unit.y).sea_state,
        morale=unit.morale.morale,
    )
