"""The scenario generator: stage and seed in, a battle that passes validation out."""

from dataclasses import dataclass
from typing import Final

from diorama.contracts.errors import ContractError
from diorama.worlds.tidebreak.content import Content, shipped_content
from diorama.worlds.tidebreak.packages.package import BattlePackage
from diorama.worlds.tidebreak.packages.problems import PackageError
from diorama.worlds.tidebreak.packages.rules import Rules
from diorama.worlds.tidebreak.packages.ships import ShipSnapshot
from diorama.worlds.tidebreak.packages.teams import Team
from diorama.worlds.tidebreak.resolve.depths import resolve_depth
from diorama.worlds.tidebreak.resolve.terrain import depth_at
from diorama.worlds.tidebreak.resolve.validation import validate_package
from diorama.worlds.tidebreak.scenarios.draws import Draws, Purpose
from diorama.worlds.tidebreak.scenarios.forces import Forces, forces_of
from diorama.worlds.tidebreak.scenarios.lineup import TEAM_IDS, Axis, line_up
from diorama.worlds.tidebreak.scenarios.seeds import battle_seed
from diorama.worlds.tidebreak.scenarios.stages import STAGES, Stage, stage
from diorama.worlds.tidebreak.scenarios.tasks import cripple, give_boarding_orders, give_convoy_orders
from diorama.worlds.tidebreak.scenarios.waters import OBSTACLE_CLEARANCE_M, clearance, draw_map

ATTEMPTS_MAX: Final = 20
_CONVOY, _BOARDING, _OPEN = 8, 11, 12
_FOG_FROM, _FIELDS_FROM, _DOUBTFUL_IFF_FROM, _CLUTTER_FROM = 2, 3, 5, 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A generated battle and who plays which side.

    Attributes:
        stage: What it was asked for.
        content_stage: Whose content it has; another one only in the open stage.
        package: The battle.
        agent_team_id: Side of the learner.
        agent_ship_ids: Its ships, in the order of the package.
        opponent_ship_ids: All others.
    """

    stage: Stage
    content_stage: Stage
    package: BattlePackage
    agent_team_id: str
    agent_ship_ids: tuple[str, ...]
    opponent_ship_ids: tuple[str, ...]


def generate(number: int, seed: int) -> Scenario:
    """Draw a battle of a stage.

    Args:
        number: Of the stage, 1 to 12.
        seed: Any integer; 64 bits of it count.

    Raises:
        UnknownName: There is no such stage.
        ContractError: No draw passed validation, which the shipped content never causes.
    """
    asked, tables = stage(number), shipped_content()
    drawn = asked
    if number == _OPEN:
        drawn = STAGES[Draws(seed=seed, stage=number).whole(0, len(STAGES) - 2, Purpose.STAGE)]
    for attempt in range(ATTEMPTS_MAX):
        draws = Draws(seed=seed, stage=drawn.number, attempt=attempt)
        package = _package(asked, drawn, draws, tables)
        if _is_playable(package, tables):
            return _scenario(asked, drawn, package, draws)
    raise ContractError(f"stage {number} with seed {seed}: none of {ATTEMPTS_MAX} draws passed validation")


def _scenario(asked: Stage, drawn: Stage, package: BattlePackage, draws: Draws) -> Scenario:
    side = TEAM_IDS[draws.whole(0, 1, Purpose.SIDE)]
    return Scenario(
        stage=asked,
        content_stage=drawn,
        package=package,
        agent_team_id=side,
        agent_ship_ids=tuple(ship.ship_id for ship in package.ships if ship.team_id == side),
        opponent_ship_ids=tuple(ship.ship_id for ship in package.ships if ship.team_id != side),
    )


def _package(asked: Stage, drawn: Stage, draws: Draws, content: Content) -> BattlePackage:
    forces = forces_of(draws, content)
    ships = _ships(forces, draws, content)
    return BattlePackage(
        schema_version="arena.v2" if forces.crippled is not None else "arena.v1",
        battle_id=f"stage-{asked.number:02d}-{draws.seed % 2**64:016x}",
        seed=battle_seed(draws.seed),
        time_limit_s=drawn.time_limit_s,
        rules=_rules(drawn.number),
        teams=tuple(Team(team_id=team_id, name=team_id.capitalize()) for team_id in TEAM_IDS),
        map=draw_map(draws, ships, drawn.time_limit_s),
        ships=tuple(ships),
    )


def _ships(forces: Forces, draws: Draws, content: Content) -> list[ShipSnapshot]:
    axis = Axis.drawn(draws)
    first = line_up(draws, axis, 0, forces.first, content)
    second = line_up(draws, axis, 1, forces.second, content)
    if draws.stage == _CONVOY:
        return give_convoy_orders(first, second, axis)
    if draws.stage == _BOARDING and forces.crippled is not None:
        hurt = [cripple(ship, draws, content) if ship.class_id == forces.crippled else ship for ship in second]
        return give_boarding_orders(first, hurt, forces.crippled)
    return [*first, *second]


def _rules(number: int) -> Rules:
    return Rules(
        fog=number >= _FOG_FROM,
        fields=number >= _FIELDS_FROM,
        perfect_iff=number < _DOUBTFUL_IFF_FROM,
        clutter=number >= _CLUTTER_FROM,
        objective_ends_battle=number == _BOARDING,  # a beachhead ends no battle by itself
    )


def _is_playable(package: BattlePackage, content: Content) -> bool:
    """Whether it passes validation, nobody starts aground and obstacles keep their distance."""
    try:
        validate_package(package, content)
    except PackageError:
        return False
    bounds = package.map.bounds
    corners = (bounds.min_x, bounds.min_y, bounds.max_x, bounds.max_y)
    sea_bed = resolve_depth(package.map.bathymetry, package.seed)
    for ship in package.ships:
        draught = content.classes[ship.class_id or ""].hull.draught_m or 0.0
        if depth_at(sea_bed, corners, ship.initial_state.x, ship.initial_state.y) <= draught:
            return False
    return all(
        clearance(obstacle.position, obstacle.shape.radius, package.ships) >= OBSTACLE_CLEARANCE_M
        for obstacle in package.map.obstacles
        if obstacle.shape.type == "circle"
    )
