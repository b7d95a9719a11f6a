"""What a stored moment may hold where it is read back, so that drawing one takes no longer than drawing another.

Drawing takes as long as a moment has parts, and some of it as long as a number is large. Worlds bound both where they
read a moment (their `frames.py` or `picture/facts.py`); `check_moment` bounds what is left, also of plug-ins.
"""

import math
from typing import Annotated, Any, Final, TypeAlias

from pydantic import Field

from diorama.contracts.values import JsonObject

Fraction: TypeAlias = Annotated[float, Field(ge=0.0, le=1.0)]
Percent: TypeAlias = Annotated[float, Field(ge=0.0, le=100.0)]
Amount: TypeAlias = Annotated[float, Field(ge=-1e15, le=1e15)]  # is written, not measured out
Count: TypeAlias = Annotated[int, Field(ge=0, le=2**53)]
Label: TypeAlias = Annotated[str, Field(max_length=400)]

MOST_VALUES: Final = 1 << 18
MOST_CHARACTERS: Final = 1 << 20  # of all texts together; some hold bytes
MOST_LEVELS: Final = 32
LARGEST: Final = 2.0**63


def at_most(parts: int) -> Any:
    """Return the bound of a tuple of parts that stands in its annotation."""
    return Field(max_length=parts)


def check_moment(render_state: JsonObject) -> None:
    """Refuse a render state that no world writes, whatever its schema.

    Raises:
        ValueError: It holds too much, or a number without bounds.
    """
    values = characters = 0
    waiting: list[tuple[object, int]] = [(render_state, 0)]
    while waiting:
        value, level = waiting.pop()
        values += 1
        if isinstance(value, str):
            characters += len(value)
        elif isinstance(value, int | float) and not abs(value) < LARGEST:
            shown = f"{value:g}" if isinstance(value, float) or math.log2(abs(value)) < 1000 else "one with many digits"
            raise ValueError(f"a number is {shown}; numbers lie between -2^63 and 2^63")
        elif isinstance(value, list | tuple):
            waiting.extend((item, level + 1) for item in value)
        elif isinstance(value, dict):
            characters += sum(map(len, value))
            waiting.extend((item, level + 1) for item in value.values())
        if values + len(waiting) > MOST_VALUES or characters > MOST_CHARACTERS or level > MOST_LEVELS:
            raise ValueError(
                f"it holds more than {MOST_VALUES} values, {MOST_CHARACTERS} characters or {MOST_LEVELS} levels"
            )
