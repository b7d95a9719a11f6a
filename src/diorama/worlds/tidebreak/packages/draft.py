"""As much of a package as could be read, so that one wrong field does not hide what is wrong elsewhere."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self, TypeVar

from pydantic import TypeAdapter, ValidationError

from diorama.worlds.tidebreak.packages.base import Sha256
from diorama.worlds.tidebreak.packages.map import MapDefinition
from diorama.worlds.tidebreak.packages.package import BattlePackage, Seed
from diorama.worlds.tidebreak.packages.problems import Problem
from diorama.worlds.tidebreak.packages.ships import ShipSnapshot
from diorama.worlds.tidebreak.packages.structure import structural_problems
from diorama.worlds.tidebreak.packages.teams import Team

_PartT = TypeVar("_PartT")

_TEAM: TypeAdapter[Team] = TypeAdapter(Team)
_SHIP: TypeAdapter[ShipSnapshot] = TypeAdapter(ShipSnapshot)
_MAP: TypeAdapter[MapDefinition] = TypeAdapter(MapDefinition)
_SEED: TypeAdapter[int] = TypeAdapter(Seed)
_CONTENT_HASH: TypeAdapter[str] = TypeAdapter(Sha256)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipIds:
    """What every ship says of itself, readable or not; None where that is no text."""

    ship_id: str | None
    team_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """Parts that are sound by themselves, each with its index in the document.

    Attributes:
        package: The whole, when nothing is wrong with its structure.
        problems: What is wrong with its structure.
        team_ids: Of all teams, None where it is no text; None when there is no list of teams.
        ship_ids: Of all ships; None when there is no list of ships.
        teams: The readable teams.
        ships: The readable ships.
        map: The map, if readable.
        seed: The seed, if readable.
        content_hash: The hash of the tables it was made for, if given and readable.
    """

    package: BattlePackage | None
    problems: tuple[Problem, ...]
    team_ids: tuple[str | None, ...] | None
    ship_ids: tuple[ShipIds, ...] | None
    teams: tuple[tuple[int, Team], ...]
    ships: tuple[tuple[int, ShipSnapshot], ...]
    map: MapDefinition | None
    seed: int | None
    content_hash: str | None

    @classmethod
    def of(cls, package: BattlePackage) -> Self:
        """Take a whole package."""
        return cls(
            package=package,
            problems=(),
            team_ids=tuple(team.team_id for team in package.teams),
            ship_ids=tuple(ShipIds(ship_id=ship.ship_id, team_id=ship.team_id) for ship in package.ships),
            teams=tuple(enumerate(package.teams)),
            ships=tuple(enumerate(package.ships)),
            map=package.map,
            seed=package.seed,
            content_hash=package.content_hash,
        )

    @classmethod
    def read(cls, document: Mapping[str, object]) -> Self:
        """Take what can be read of a document."""
        try:
            return cls.of(BattlePackage.model_validate(document))
        except ValidationError as error:
            problems = structural_problems(error, document)
        teams, ships = _items(document.get("teams")), _items(document.get("ships"))
        return cls(
            package=None,
            problems=tuple(problems),
            team_ids=None if teams is None else tuple(_text(team, "team_id") for team in teams),
            ship_ids=None
            if ships is None
            else tuple(ShipIds(ship_id=_text(ship, "ship_id"), team_id=_text(ship, "team_id")) for ship in ships),
            teams=_readable(_TEAM, teams),
            ships=_readable(_SHIP, ships),
            map=_read(_MAP, document.get("map")),
            seed=_read(_SEED, document.get("seed")),
            content_hash=_read(_CONTENT_HASH, document.get("content_hash")),
        )


def _items(value: object) -> Sequence[object] | None:
    return value if isinstance(value, list | tuple) else None


def _text(part: object, key: str) -> str | None:
    value = part.get(key) if isinstance(part, Mapping) else None
    return value if isinstance(value, str) else None


def _readable(adapter: TypeAdapter[_PartT], parts: Sequence[object] | None) -> tuple[tuple[int, _PartT], ...]:
    read = ((index, _read(adapter, part)) for index, part in enumerate(parts or ()))
    return tuple((index, part) for index, part in read if part is not None)


def _read(adapter: TypeAdapter[_PartT], part: object) -> _PartT | None:
    try:
        return adapter.validate_python(part)
    except ValidationError:
        return None
