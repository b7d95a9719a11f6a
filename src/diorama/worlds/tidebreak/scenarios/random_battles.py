"""Battles of any kind, for comparing the tiers: every class, weapon, layer, weather and objective turns up."""

from collections.abc import Sequence
from typing import Final

from diorama.contracts.errors import ContractError
from diorama.numerics import TWO_PI
from diorama.worlds.tidebreak.codes import Layer, ObjectiveType, Precipitation, StormProfile, ZoneEffect
from diorama.worlds.tidebreak.content import Content, Weapon, shipped_content
from diorama.worlds.tidebreak.packages.bathymetry import Bathymetry, ProceduralDepth, UniformDepth
from diorama.worlds.tidebreak.packages.currents import AnalyticCurrent, Eddy
from diorama.worlds.tidebreak.packages.map import Bounds, MapDefinition, MapZone, Obstacle
from diorama.worlds.tidebreak.packages.objectives import Destination, ObjectiveZone, TacticalObjective
from diorama.worlds.tidebreak.packages.package import BattlePackage
from diorama.worlds.tidebreak.packages.problems import PackageError
from diorama.worlds.tidebreak.packages.rules import Rules
from diorama.worlds.tidebreak.packages.shapes import Circle, Polygon
from diorama.worlds.tidebreak.packages.ships import CrewSnapshot, ShipSnapshot, ShipState, WeaponConfig
from diorama.worlds.tidebreak.packages.teams import Team
from diorama.worlds.tidebreak.packages.weather import Storm, Weather
from diorama.worlds.tidebreak.resolve.validation import validate_package
from diorama.worlds.tidebreak.scenarios.draws import Draws, Purpose
from diorama.worlds.tidebreak.scenarios.seeds import battle_seed

_STAGE: Final = 0  # no stage of the curriculum
_ATTEMPTS: Final = 200
_HALF_SIDE_M: Final = 4000.0
_TIME_LIMIT_S: Final = 600.0
_SQUARE: Final = ((-300.0, -300.0), (300.0, -300.0), (300.0, 300.0), (-300.0, 300.0))


def random_battle(seed: int) -> BattlePackage:
    """Draw a small crowded battle of two or three teams with two to four units each."""
    tables = shipped_content()
    for attempt in range(_ATTEMPTS):
        package = _package(Draws(seed=seed, stage=_STAGE, attempt=attempt), tables)
        try:
            return validate_package(package, tables).package
        except PackageError:
            continue
    raise ContractError(f"random battle {seed}: none of {_ATTEMPTS} draws passed validation")


def _package(draws: Draws, content: Content) -> BattlePackage:
    teams = tuple(Team(team_id=f"team-{index}") for index in range(draws.whole(2, 3, Purpose.FORCES, 0)))
    ships = [
        _ship(draws, team, unit, content)
        for team in range(len(teams))
        for unit in range(draws.whole(2, 4, Purpose.FORCES, 1 + team))
    ]
    flags = draws.whole(0, 127, Purpose.FORCES, 5)
    return BattlePackage(
        schema_version="arena.v1",
        battle_id=f"random-{draws.seed % 2**64:016x}",
        seed=battle_seed(draws.seed),
        time_step_s=(0.05, 0.1, 0.2, 0.25, 0.5)[draws.whole(0, 4, Purpose.FORCES, 6)],
        time_limit_s=_TIME_LIMIT_S,
        timeout_rule="margin" if flags & 1 else "draw",
        rules=Rules(
            fields=not flags & 2,
            fog=not flags & 4,
            perfect_iff=bool(flags & 8),
            friendly_fire=bool(flags & 16),
            clutter=bool(flags & 32),
            objective_ends_battle=bool(flags & 64),
        ),
        teams=teams,
        map=_map(draws),
        ships=tuple(_with_objective(draws, index, ships) for index in range(len(ships))),
    )


def _ship(draws: Draws, team: int, unit: int, content: Content) -> ShipSnapshot:
    key = (team * 8 + unit) * 16
    names = list(content.classes)
    row = content.classes[names[draws.whole(0, len(names) - 1, Purpose.FORCES_FIRST, key)]]
    speeds = (row.speed.surface, row.speed.submerged, row.speed.abyssal)
    layers = [layer for layer in Layer if speeds[layer] is not None]
    layer = layers[draws.whole(0, len(layers) - 1, Purpose.FORCES_FIRST, key + 1)]
    weapons = list(content.weapons.values())
    refitted = draws.whole(0, 2, Purpose.FORCES_FIRST, key + 2) == 0
    return ShipSnapshot(
        ship_id=f"{team}-{unit}-{row.name}",
        team_id=f"team-{team}",
        class_id=row.name,
        weapons=tuple(_mount(draws, slot, key, weapons) for slot in range(4)) if refitted else None,
        crew=CrewSnapshot(
            gunnery=draws.unit(Purpose.GUNNERY, key),
            engineering=draws.unit(Purpose.ENGINEERING, key),
            morale=draws.between(0.3, 1.0, Purpose.FORCES_FIRST, key + 3),
            fatigue=draws.unit(Purpose.FORCES_FIRST, key + 4),
        ),
        initial_state=ShipState(
            x=draws.between(-3500.0, 3500.0, Purpose.FORCES_FIRST, key + 5),
            y=draws.between(-3500.0, 3500.0, Purpose.FORCES_FIRST, key + 6),
            heading=draws.between(0.0, TWO_PI, Purpose.HEADING, key),
            speed=(speeds[layer] or 0.0) * draws.unit(Purpose.FORCES_FIRST, key + 7),
            layer=layer,
            hp=row.hull.hp * draws.between(0.3, 1.0, Purpose.DAMAGE, key),
        ),
    )


def _mount(draws: Draws, slot: int, key: int, weapons: Sequence[Weapon]) -> WeaponConfig:
    facings = ("F", "A", "P", "S", "O")
    return WeaponConfig(
        slot=slot,
        weapon_type=weapons[draws.whole(0, len(weapons) - 1, Purpose.FORCES_SECOND, key + slot * 2)].id,
        facing=facings[draws.whole(0, 4, Purpose.FORCES_SECOND, key + slot * 2 + 1)],
    )


def _with_objective(draws: Draws, index: int, ships: Sequence[ShipSnapshot]) -> ShipSnapshot:
    ship = ships[index]
    kind = draws.whole(0, len(ObjectiveType), Purpose.REPEAT, index * 4)
    if kind == len(ObjectiveType):
        return ship
    others = [other.ship_id for other in ships if other.team_id != ship.team_id]
    friends = [other.ship_id for other in ships if other.team_id == ship.team_id and other is not ship]
    target = others[draws.whole(0, len(others) - 1, Purpose.REPEAT, index * 4 + 1)]
    asset = friends[draws.whole(0, len(friends) - 1, Purpose.REPEAT, index * 4 + 2)]
    place = draws.between(-3000.0, 3000.0, Purpose.REPEAT, index * 4 + 3)
    objective = TacticalObjective(
        objective_id=f"o{index}",
        type=ObjectiveType(kind),
        target=target,
        targets=tuple(others),
        asset=asset,
        zone=ObjectiveZone(shape="circle", center=(place, -place), radius=1500.0),
        destination=Destination(position=(place, place)),
        duration_s=60.0,
        deadline_s=300.0,
    )
    return ship.model_copy(update={"objective": objective})


def _map(draws: Draws) -> MapDefinition:
    side = _HALF_SIDE_M
    return MapDefinition(
        bounds=Bounds(min_x=-side, min_y=-side, max_x=side, max_y=side),
        edges="open" if draws.whole(0, 1, Purpose.BATHYMETRY, 1) == 0 else "closed",
        bathymetry=_sea_bed(draws),
        obstacles=(
            Obstacle(shape=Circle(radius=200.0), position=_place(draws, Purpose.OBSTACLE_PLACE, 0)),
            Obstacle(
                shape=Polygon(vertices=_SQUARE),
                position=_place(draws, Purpose.OBSTACLE_PLACE, 2),
                material="solid" if draws.whole(0, 1, Purpose.OBSTACLE_SIZE) == 0 else "soft",
                layers=(Layer.SURFACE,),
            ),
        ),
        zones=tuple(
            MapZone(
                shape=Circle(radius=1000.0),
                position=_place(draws, Purpose.ZONE, effect * 4),
                modifier_type=effect,
                intensity=draws.unit(Purpose.ZONE, effect * 4 + 2),
                vector=(1.0, -0.5) if effect is ZoneEffect.CURRENT else None,
            )
            for effect in ZoneEffect
        ),
        currents=AnalyticCurrent(
            base_vector=(0.3, -0.2), variance=0.1, eddies=(Eddy(x=500.0, y=-500.0, radius=1200.0, speed=0.8),)
        ),
        weather=Weather(
            sea_state=draws.between(0.0, 9.0, Purpose.SEA),
            visibility_km=draws.between(0.5, 20.0, Purpose.VISIBILITY),
            precipitation=Precipitation(draws.whole(0, 3, Purpose.PRECIPITATION)),
            wind_speed=draws.between(0.0, 30.0, Purpose.WIND, 0),
            wind_direction=draws.between(0.0, TWO_PI, Purpose.WIND, 1),
            lightning=draws.unit(Purpose.WIND, 2),
        ),
        storms=tuple(_storm(draws, profile) for profile in StormProfile),
    )


def _storm(draws: Draws, profile: StormProfile) -> Storm:
    x, y = _place(draws, Purpose.STORM, profile * 4)
    return Storm(
        x=x,
        y=y,
        vx=4.0,
        vy=-3.0,
        radius=1500.0,
        intensity=draws.unit(Purpose.STORM, profile * 4 + 2),
        profile=profile,
        ends_at_tick=draws.whole(30, 300, Purpose.STORM, profile * 4 + 3),
    )


def _sea_bed(draws: Draws) -> Bathymetry:
    style = draws.whole(0, 4, Purpose.BATHYMETRY, 0)
    if style == 0:
        return UniformDepth(depth_m=1500.0)
    if style == 1:
        return ProceduralDepth(style="shelf")
    if style == 2:
        return ProceduralDepth(style="strait")
    return ProceduralDepth(style="archipelago" if style == 3 else "open")


def _place(draws: Draws, purpose: Purpose, key: int) -> tuple[float, float]:
    return draws.between(-3500.0, 3500.0, purpose, key), draws.between(-3500.0, 3500.0, purpose, key + 1)
