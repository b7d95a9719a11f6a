"""A stand-in for the arena where the battle itself is not the point: costs and luck decide at once."""

from collections.abc import Mapping

from diorama.rng.keyed import draw, u01
from diorama.worlds.tidebreak.codes import (
    BoardingStatus,
    CaptureMethod,
    ComponentStatus,
    EndReason,
    ShipFate,
    SizeClass,
)
from diorama.worlds.tidebreak.content import shipped_content
from diorama.worlds.tidebreak.packages import BattlePackage, BattleResult
from diorama.worlds.tidebreak.packages.outcomes import (
    BoardingOutcome,
    Casualties,
    FinalState,
    MegashipDamageReport,
    ShipOutcome,
    TeamOutcome,
)
from diorama.worlds.tidebreak.packages.result import ReplayReference
from diorama.worlds.tidebreak.packages.ships import ShipSnapshot

_CITY_WORTH = 600.0
_UNDECIDED = 0.15


def quick_fight(package: BattlePackage, _controllers: Mapping[str, str]) -> BattleResult:
    """Decide a battle by the costs of both sides and the package's seed."""
    sides = [team.team_id for team in package.teams]
    strengths = [sum(_worth(ship) for ship in package.ships if ship.team_id == side) for side in sides]
    odds = strengths[0] / max(sum(strengths), 1e-9)
    luck = _luck(package, 0, 0)
    winner = None if _luck(package, 0, 1) < _UNDECIDED else sides[0] if luck < odds else sides[1]
    ships = tuple(_outcome(package, index, ship, winner) for index, ship in enumerate(package.ships))
    return BattleResult(
        schema_version=package.schema_version,
        battle_id=package.battle_id,
        seed=package.seed,
        content_hash=shipped_content().content_hash,
        winner_team_id=winner,
        end_reason=EndReason.TIME_LIMIT if winner is None else EndReason.ELIMINATION,
        duration_s=600.0,
        ships=ships,
        teams=tuple(_team(side, winner, ships, package) for side in sides),
        boarding_outcomes=_boardings(package, ships),
        megaship_reports=tuple(_city(ship) for ship in package.ships if _size(ship) is SizeClass.XL),
        replay=ReplayReference(seed=package.seed, initial_state_hash="0" * 16, final_state_hash="1" * 16),
    )


def _luck(package: BattlePackage, ship: int, k: int) -> float:
    return u01(draw(package.seed, 99, 0, ship, 0, k))


def _size(ship: ShipSnapshot) -> SizeClass:
    return shipped_content().classes[str(ship.class_id)].size


def _worth(ship: ShipSnapshot) -> float:
    row = shipped_content().classes[str(ship.class_id)]
    return (_CITY_WORTH if row.size is SizeClass.XL else row.cost) * (0.5 + ship.crew.morale)


def _outcome(package: BattlePackage, index: int, ship: ShipSnapshot, winner: str | None) -> ShipOutcome:
    start = ship.initial_state
    u, harm = _luck(package, index + 1, 2), _luck(package, index + 1, 3)
    is_city, is_loser = _size(ship) is SizeClass.XL, winner not in (None, ship.team_id)
    fate, method, captor, exited = ShipFate.OPERATIONAL, None, None, False
    if is_loser and not is_city:
        if u < 0.35:
            fate = ShipFate.DESTROYED
        elif u < 0.45:
            fate, method, captor = ShipFate.CAPTURED, CaptureMethod.SURRENDERED, winner
        elif u < 0.55:
            fate = ShipFate.DISABLED
        else:
            exited = u < 0.8
    elif u < 0.05 and not is_city:
        fate = ShipFate.DESTROYED
    hp = float(start.hp or 1.0)
    left = 0.0 if fate is ShipFate.DESTROYED else hp * (1.0 - (0.5 if is_loser else 0.25) * harm)
    crew = ship.crew.crew_count or 1
    killed = crew if fate is ShipFate.DESTROYED else int(crew * 0.05 * harm) if not is_city else 0
    return ShipOutcome(
        ship_id=ship.ship_id,
        fate=fate,
        capture_method=method,
        captor_team_id=captor,
        exited=exited,
        final_state=FinalState(
            x=start.x,
            y=start.y,
            heading=start.heading,
            speed=0.0,
            layer=start.layer,
            hp=left,
            ammo={slot: rounds // 2 for slot, rounds in (start.ammo or {}).items()},
        ),
        final_morale=0.5,
        crew_casualties=Casualties(killed=killed, wounded=0),
        salvage_value=0.1,
    )


def _team(side: str, winner: str | None, ships: tuple[ShipOutcome, ...], package: BattlePackage) -> TeamOutcome:
    own = [o for o, ship in zip(ships, package.ships, strict=True) if ship.team_id == side]
    delta = 0.0 if winner is None else 0.08 if winner == side else -0.12
    return TeamOutcome(
        team_id=side,
        morale_delta=delta,
        ships_lost=sum(o.fate is ShipFate.DESTROYED for o in own),
        ships_captured=sum(o.fate is ShipFate.CAPTURED for o in own),
        ships_surrendered=sum(o.fate is ShipFate.CAPTURED for o in own),
    )


def _boardings(package: BattlePackage, ships: tuple[ShipOutcome, ...]) -> tuple[BoardingOutcome, ...]:
    city = next((ship for ship in package.ships if _size(ship) is SizeClass.XL), None)
    if city is None:
        return ()
    needed = max(200.0, 0.02 * float(city.crew.crew_count or 0))
    landing = [
        ship
        for ship, outcome in zip(package.ships, ships, strict=True)
        if ship.team_id != city.team_id
        and ship.class_id == "assault_transport"
        and outcome.fate is ShipFate.OPERATIONAL
        and not outcome.exited
    ]
    marines = [float(300 if ship.marines is None else ship.marines) for ship in landing]
    if sum(marines) < needed:
        return ()
    return tuple(
        BoardingOutcome(
            target_ship_id=city.ship_id,
            attacker_team_id=ship.team_id,
            status=BoardingStatus.ESTABLISHED,
            transfer_progress=1.0,
            troops_inserted=troops,
            breach_quality=0.6,
        )
        for ship, troops in zip(landing, marines, strict=True)
    )


def _city(ship: ShipSnapshot) -> MegashipDamageReport:
    whole = ComponentStatus.OPERATIONAL
    return MegashipDamageReport(
        ship_id=ship.ship_id,
        propulsion_status=whole,
        cic_status=whole,
        primary_weapons=whole,
        power_systems=whole,
        morale_shock=0.2,
        legitimacy_impact=-0.05,
    )
