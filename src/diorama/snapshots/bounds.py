"""Numbers that a restored state may hold; `crates/kernel/src/bounds.rs` is the native twin."""

from collections.abc import Iterable
from decimal import Decimal
from math import isinf, isnan
from typing import Final

from diorama.contracts.errors import SnapshotError

Bound = tuple[str, float, float, float]  # a name, a value, and the least and the most that it can be

LARGEST_NUMBER: Final = 1 << 53  # nothing counts further, and every JSON reader keeps it
LARGEST_MEASURE: Final = 1 << 50  # nothing measures further; from twice as much on angles have no sine


def check_numbers(name: str, values: Iterable[float]) -> None:
    """Refuse numbers that are too large, or none.

    Raises:
        SnapshotError: With the first of them.
    """
    for value in values:
        most = LARGEST_NUMBER if isinstance(value, int) else LARGEST_MEASURE
        if not -most <= value <= most:
            raise SnapshotError(f"{name} is {plain_number(value)}; it must be {-most} to {most}")


def check_bounds(owner: str, bounds: Iterable[Bound]) -> None:
    """Refuse values that are out of their bounds, or no numbers.

    Raises:
        SnapshotError: With the first of them.
    """
    for name, value, least, most in bounds:
        if not least <= value <= most:
            told, lowest, highest = (plain_number(number) for number in (value, least, most))
            right = lowest if least == most else f"{lowest} to {highest}"
            raise SnapshotError(f"{owner}: {name} is {told}; it must be {right}")


def plain_number(value: float) -> str:
    """Write a number as the native tiers do: no exponent, and no point where nothing but a zero would follow it."""
    if isnan(value):
        return "NaN"
    if isinstance(value, int) or isinf(value):
        return str(value)
    return f"{Decimal(repr(float(value))):f}".removesuffix(".0")
