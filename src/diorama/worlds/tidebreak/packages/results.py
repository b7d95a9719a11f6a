"""Reading results, and what must hold between a result and its package."""

from collections.abc import Iterator

from pydantic import ValidationError

from diorama.worlds.tidebreak.codes import BoardingStatus, SizeClass
from diorama.worlds.tidebreak.content import Content, shipped_content
from diorama.worlds.tidebreak.packages.documents import Source, parse
from diorama.worlds.tidebreak.packages.package import BattlePackage
from diorama.worlds.tidebreak.packages.problems import Problem, ResultError
from diorama.worlds.tidebreak.packages.result import BattleResult
from diorama.worlds.tidebreak.packages.structure import dotted, structural_problems


def read_result(source: Source) -> BattleResult:
    """Read a result of any version from JSON or from a mapping.

    Raises:
        ResultError: With everything that is wrong.
    """
    document = parse(source)
    if isinstance(document, Problem):
        raise ResultError([document])
    try:
        return BattleResult.model_validate(document)
    except ValidationError as error:
        raise ResultError(structural_problems(error, document)) from None


def check_result(result: BattleResult, package: BattlePackage, content: Content | None = None) -> None:
    """Hold a result against the package it should belong to.

    Raises:
        ResultError: With everything that does not fit.
    """
    problems = [
        *_echoes(result, package),
        *_ships(result, package),
        *_teams(result, package),
        *_boardings(result, package, content or shipped_content()),
    ]
    if problems:
        raise ResultError(problems)


def _echoes(result: BattleResult, package: BattlePackage) -> Iterator[Problem]:
    echoed = (
        ("schema_version", result.schema_version, package.schema_version),
        ("battle_id", result.battle_id, package.battle_id),
        ("seed", result.seed, package.seed),
        ("torch_seed", result.torch_seed, package.torch_seed),
        ("replay.seed", result.replay.seed, package.seed),
    )
    for path, found, expected in echoed:
        if found != expected:
            yield Problem("R002", path, f"{found!r} is not the package's {expected!r}")
    if package.content_hash not in (None, result.content_hash):
        yield Problem("R002", "content_hash", "is not the one the package asks for")
    if result.duration_s > package.time_limit_s:
        yield Problem("R003", "duration_s", f"{result.duration_s:g} s is above the limit of {package.time_limit_s:g}")


def _ships(result: BattleResult, package: BattlePackage) -> Iterator[Problem]:
    expected = [ship.ship_id for ship in package.ships]
    found = [ship.ship_id for ship in result.ships]
    if len(found) != len(expected):
        yield Problem("R001", "ships", f"there are {len(found)}; the package has {len(expected)}")
    for index, (name, wanted) in enumerate(zip(found, expected, strict=False)):
        if name != wanted:
            yield Problem("R001", dotted("ships", index, "ship_id"), f"{name!r} stands where {wanted!r} should")


def _teams(result: BattleResult, package: BattlePackage) -> Iterator[Problem]:
    known = {team.team_id for team in package.teams}
    named = [
        ("winner_team_id", result.winner_team_id),
        *((dotted("teams", index, "team_id"), team.team_id) for index, team in enumerate(result.teams)),
        *((dotted("ships", index, "captor_team_id"), ship.captor_team_id) for index, ship in enumerate(result.ships)),
    ]
    for path, team_id in named:
        if team_id is not None and team_id not in known:
            yield Problem("R004", path, f"there is no team {team_id!r}")


def _boardings(result: BattleResult, package: BattlePackage, content: Content) -> Iterator[Problem]:
    classes = {ship.ship_id: content.classes.get(ship.class_id or "") for ship in package.ships}
    for index, boarding in enumerate(result.boarding_outcomes):
        target = classes.get(boarding.target_ship_id)
        is_city = target is not None and target.size is SizeClass.XL
        if is_city and boarding.transfer_progress == 1.0 and boarding.status is not BoardingStatus.ESTABLISHED:
            path = dotted("boarding_outcomes", index, "status")
            yield Problem("R005", path, f"is {boarding.status.name} with all marines aboard; it must be ESTABLISHED")
