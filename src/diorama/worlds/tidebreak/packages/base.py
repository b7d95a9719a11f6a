"""Base and number types of the exchanged documents."""

from typing import Annotated, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, Strict

_COORDINATE_LIMIT_M: Final = 1e6
# Nothing measured is larger or smaller, and within these no rule can overflow or divide by nothing.
_LARGEST: Final = 1e9
_SMALLEST: Final = 1e-6
_FASTER_MOST: Final = 1e3  # times the speed that a hull has
_PEOPLE_LIMIT: Final = 1_000_000  # as many as a crew may have
_COUNT_LIMIT: Final = 2**53 - 1  # every JSON reader keeps integers up to here


class Exchange(BaseModel):
    """Frozen; unknown keys are dropped, so that newer producers work with older consumers; numbers are finite."""

    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)


def _slot_of(value: object) -> object:
    """Turn the text a JSON key must be into the number it stands for."""
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 4 else value


Number = Annotated[float, Strict(), Field(ge=-_LARGEST, le=_LARGEST)]
Amount = Annotated[float, Strict(), Field(ge=0.0, le=_LARGEST)]
Positive = Annotated[float, Strict(), Field(ge=_SMALLEST, le=_LARGEST)]
HitPoints = Annotated[float, Strict(), Field(ge=1.0, le=_LARGEST)]
SpeedFactor = Annotated[float, Strict(), Field(ge=_SMALLEST, le=_FASTER_MOST)]
Share = Annotated[float, Strict(), Field(ge=0.0, le=1.0)]
Coordinate = Annotated[float, Strict(), Field(ge=-_COORDINATE_LIMIT_M, le=_COORDINATE_LIMIT_M)]
Point = tuple[Coordinate, Coordinate]
Angle = Annotated[float, Strict(), Field(ge=-_COORDINATE_LIMIT_M, le=_COORDINATE_LIMIT_M)]
Count = Annotated[int, Strict(), Field(ge=0, le=_COUNT_LIMIT)]
People = Annotated[int, Strict(), Field(ge=0, le=_PEOPLE_LIMIT)]
Flag = Annotated[bool, Strict()]
Text = Annotated[str, Strict(), Field(max_length=256)]
Identifier = Annotated[str, Strict(), Field(min_length=1, max_length=128)]
Slot = Annotated[int, Strict(), Field(ge=0, le=11)]
SlotKey = Annotated[int, Strict(), Field(ge=0, le=11), BeforeValidator(_slot_of)]
Sha256 = Annotated[str, Strict(), Field(pattern=r"^[0-9a-f]{64}$")]
FreeForm = dict[str, JsonValue]
