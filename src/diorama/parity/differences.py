"""Finds every place where two arrays or two plain values differ."""

import math
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeGuard

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.values import JsonObject, JsonValue
from diorama.parity.profiles import Tolerance

Namer = Callable[[tuple[int, ...]], str]
_MISSING = "(missing)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One number or word on which two sides disagree.

    Attributes:
        field: The compared field, such as `obs`.
        name: What differs inside it, such as `hull_frac` or `travel.fuel`; empty where the field is one value.
        index: Place inside the array; None where there is no array.
        reference: Value of the reference side.
        fast: Value of the fast side.
        difference: Absolute difference of two numbers.
        tolerance: What would have been allowed.
    """

    field: str
    name: str = ""
    index: tuple[int, ...] | None = None
    reference: JsonValue
    fast: JsonValue
    difference: float | None = None
    tolerance: float | None = None

    def __str__(self) -> str:
        """Say in a few words what differs."""
        place = f"{self.field} {self.name}".rstrip()
        return f"{place} is {self.reference!r} in the reference and {self.fast!r} in the fast tier"

    def document(self) -> JsonObject:
        """Return the JSON form; numbers JSON cannot hold become text."""
        return {
            "field": self.field,
            "name": self.name,
            "index": None if self.index is None else list(self.index),
            "reference": plain(self.reference),
            "fast": plain(self.fast),
            "difference": plain(self.difference),
            "tolerance": plain(self.tolerance),
        }


def differing_entries(
    field: str,
    reference: NDArray[np.generic],
    fast: NDArray[np.generic],
    *,
    tolerance: Tolerance | None,
    name_of: Namer,
) -> Iterator[Difference]:
    """Yield the entries of two arrays that do not agree.

    Without a tolerance entries agree when their bits do; any NaN agrees with any other.
    """
    if reference.dtype != fast.dtype or reference.shape != fast.shape:
        yield Difference(field=field, name="array", reference=_array_kind(reference), fast=_array_kind(fast))
        return
    first, second = reference.astype(np.float64), fast.astype(np.float64)
    with np.errstate(invalid="ignore"):
        gaps = np.abs(first - second)
        limits = np.zeros_like(gaps) if tolerance is None else tolerance.limits(first, second)
        # The limit of an infinity is infinite, and must not forgive its distance to a number.
        is_near = np.isfinite(gaps) & (gaps <= limits)
        agrees = _same_bits(reference, fast) if tolerance is None else (first == second) | is_near
    agrees |= np.isnan(first) & np.isnan(second)
    for place in np.argwhere(~agrees):
        index = tuple(int(number) for number in place)
        yield Difference(
            field=field,
            name=name_of(index),
            index=index,
            reference=reference[index].item(),
            fast=fast[index].item(),
            difference=float(gaps[index]),
            tolerance=float(limits[index]),
        )


def differing_values(
    field: str, reference: JsonValue, fast: JsonValue, *, tolerance: Tolerance | None, path: str = ""
) -> Iterator[Difference]:
    """Yield the leaves of two plain values that do not agree; types, keys and their order count."""
    if isinstance(reference, float) and isinstance(fast, float):
        yield from _differing_floats(field, reference, fast, tolerance, path)
    elif isinstance(reference, Mapping) and isinstance(fast, Mapping):
        yield from _differing_mappings(field, reference, fast, tolerance, path)
    elif _is_list(reference) and _is_list(fast):
        yield from _differing_lists(field, reference, fast, tolerance, path)
    elif type(reference) is not type(fast) and reference == fast:
        kinds = type(reference).__name__, type(fast).__name__
        yield Difference(field=field, name=f"{path} (type)".lstrip(), reference=kinds[0], fast=kinds[1])
    elif reference != fast:
        yield Difference(field=field, name=path, reference=reference, fast=fast, difference=_gap(reference, fast))


def plain(value: JsonValue) -> JsonValue:
    """Return a value that strict JSON can hold: numbers that are not finite become text."""
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [plain(item) for item in value]
    return value


def _same_bits(reference: NDArray[np.generic], fast: NDArray[np.generic]) -> NDArray[np.bool_]:
    word = np.dtype(f"u{reference.dtype.itemsize}")
    return np.asarray(reference.view(word) == fast.view(word))


def _array_kind(array: NDArray[np.generic]) -> str:
    return f"{array.dtype} of shape {array.shape}"


def _is_list(value: JsonValue) -> TypeGuard[Sequence[JsonValue]]:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _gap(reference: JsonValue, fast: JsonValue) -> float | None:
    if isinstance(reference, int | float) and isinstance(fast, int | float):
        return float(abs(reference - fast))
    return None


def _differing_floats(
    field: str, reference: float, fast: float, tolerance: Tolerance | None, path: str
) -> Iterator[Difference]:
    if struct.pack("<d", reference) == struct.pack("<d", fast) or (math.isnan(reference) and math.isnan(fast)):
        return
    gap, limit = abs(reference - fast), 0.0
    if tolerance is not None:
        limit = float(tolerance.limits(np.array(reference), np.array(fast)))
        if reference == fast or (math.isfinite(gap) and gap <= limit):
            return
    yield Difference(field=field, name=path, reference=reference, fast=fast, difference=gap, tolerance=limit)


def _differing_mappings(
    field: str, reference: JsonObject, fast: JsonObject, tolerance: Tolerance | None, path: str
) -> Iterator[Difference]:
    if list(reference) != list(fast):
        name = f"{path} keys".lstrip()
        yield Difference(field=field, name=name, reference=list(reference), fast=list(fast))
    for key in reference:
        if key in fast:
            inner = f"{path}.{key}" if path else key
            yield from differing_values(field, reference[key], fast[key], tolerance=tolerance, path=inner)


def _differing_lists(
    field: str, reference: Sequence[JsonValue], fast: Sequence[JsonValue], tolerance: Tolerance | None, path: str
) -> Iterator[Difference]:
    for place in range(max(len(reference), len(fast))):
        if place < min(len(reference), len(fast)):
            inner = f"{path}[{place}]"
            yield from differing_values(field, reference[place], fast[place], tolerance=tolerance, path=inner)
        else:
            yield Difference(
                field=field,
                name=f"{path}[{place}]",
                reference=reference[place] if place < len(reference) else _MISSING,
                fast=fast[place] if place < len(fast) else _MISSING,
            )
