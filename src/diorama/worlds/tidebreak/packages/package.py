"""Everything the arena needs to fight one battle."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from diorama.worlds.tidebreak.limits import (
    SEED_MAX,
    TEAMS_MAX,
    TEAMS_MIN,
    TIME_LIMIT_MAX_S,
    TIME_LIMIT_MIN_S,
    TIME_STEPS_S,
    UNITS_MAX,
    UNITS_MIN,
)
from diorama.worlds.tidebreak.packages.base import Exchange, Sha256
from diorama.worlds.tidebreak.packages.map import MapDefinition
from diorama.worlds.tidebreak.packages.rules import Rules
from diorama.worlds.tidebreak.packages.ships import ShipSnapshot
from diorama.worlds.tidebreak.packages.teams import Team
from diorama.worlds.tidebreak.packages.versions import PREFIX, version_number


def _known_version(schema_version: str) -> str:
    if version_number(schema_version) is None:
        raise PydanticCustomError("P001", f"must be `{PREFIX}v1` or later")
    return schema_version


def _seed(seed: int) -> int:
    if not 1 <= seed <= SEED_MAX:
        raise PydanticCustomError("P010", "must be in 1 to 2^53 - 1")
    return seed


def _time_step(seconds: float) -> float:
    if seconds not in TIME_STEPS_S:
        raise PydanticCustomError("P011", "must be one of 0.05, 0.1, 0.2, 0.25 and 0.5 seconds")
    return seconds


def _whole_seconds(seconds: float) -> float:
    if not seconds.is_integer():
        raise PydanticCustomError("P011", "must be whole seconds")
    return seconds


SchemaVersion = Annotated[str, Field(strict=True), AfterValidator(_known_version)]
BattleId = Annotated[str, Field(strict=True, pattern=r"^[A-Za-z0-9_.:-]{1,64}$")]
Seed = Annotated[int, Field(strict=True, json_schema_extra={"minimum": 1, "maximum": SEED_MAX}), AfterValidator(_seed)]
TorchSeed = Annotated[int, Field(strict=True, ge=0, lt=2**64)]
TimeStep = Annotated[
    float, Field(strict=True, json_schema_extra={"enum": list(TIME_STEPS_S)}), AfterValidator(_time_step)
]
TimeLimit = Annotated[
    float, Field(strict=True, ge=TIME_LIMIT_MIN_S, le=TIME_LIMIT_MAX_S), AfterValidator(_whole_seconds)
]


class BattlePackage(Exchange):
    """One battle, complete but not yet resolved.

    A package made here has sound parts; what holds only between parts, and against the content, is looked at by
    `validate_package`, which `resolve` always does.
    """

    schema_version: SchemaVersion
    battle_id: BattleId
    seed: Seed
    torch_seed: TorchSeed | None = None
    time_step_s: TimeStep = 0.1
    time_limit_s: TimeLimit
    timeout_rule: Literal["draw", "margin"] = "draw"
    content_hash: Sha256 | None = None
    rules: Rules = Rules()
    teams: tuple[Team, ...] = Field(json_schema_extra={"minItems": TEAMS_MIN, "maxItems": TEAMS_MAX})
    map: MapDefinition
    ships: tuple[ShipSnapshot, ...] = Field(json_schema_extra={"minItems": UNITS_MIN, "maxItems": UNITS_MAX})
