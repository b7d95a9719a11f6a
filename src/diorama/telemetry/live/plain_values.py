"""Values as messages hold them: numbers with six significant digits, nothing that is not JSON."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Final, cast

import numpy as np

from diorama.contracts.errors import ContractError
from diorama.contracts.values import JsonObject, JsonValue
from diorama.telemetry.live.merge_patch import JsonDict, is_same

_AS_THEY_ARE: Final = frozenset({str, int, bool, type(None)})


def plain(value: object) -> JsonValue:
    """Copy a value into dictionaries, lists, words and rounded numbers; numbers that are not finite become null.

    Raises:
        ContractError: It holds something that is no JSON value.
    """
    kind = type(value)
    if kind in _AS_THEY_ARE:
        return cast(JsonValue, value)
    if kind is float:
        return rounded(cast(float, value))
    if kind is list or kind is tuple:
        return [plain(item) for item in cast(Sequence[object], value)]
    return _plain_of_kin(value)


def rounded(number: float) -> float | None:
    """Six significant digits; None for what is not finite."""
    return float(f"{number:.6g}") if isfinite(number) else None


def plain_state(blocks: JsonObject) -> JsonDict:
    """Copy blocks into a state: plain, and without members that are null."""
    return absorb({}, blocks)[0]


def absorb(state: JsonDict, patch: JsonObject) -> tuple[JsonDict, JsonDict]:
    """Apply a merge patch as a world wrote it.

    Returns:
        The state afterwards, which shares what did not change, and the part of the patch that made a difference, in
        plain values; applying that part gives the same state.
    """
    merged = state
    told: JsonDict = {}
    for name, value in patch.items():
        before = state.get(name)
        kind = type(value)
        after: JsonValue
        # Nearly everything is a number or a word: these are looked at without a further call.
        if kind is float or kind in _AS_THEY_ARE:
            after = rounded(cast(float, value)) if kind is float else value
            if type(before) is type(after) and before == after:
                continue
            told[name] = after
        elif kind is not list and kind is not tuple and isinstance(value, Mapping):
            known = before if isinstance(before, dict) else None
            after, inner = absorb({} if known is None else known, value)
            if not inner and known is not None:
                continue
            told[name] = inner
        else:
            after = plain(value)
            if is_same(before, after):
                continue
            told[name] = after
        if merged is state:
            merged = state.copy()
        if after is None:
            del merged[name]
        else:
            merged[name] = after
    return merged, told


def _plain_of_kin(value: object) -> JsonValue:
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, np.generic | np.ndarray):
        return plain(value.tolist())
    # Enumerations are kin of numbers and words, and told as what they stand for.
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return rounded(float(value))
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, Sequence):
        return [plain(item) for item in value]
    raise ContractError(f"{type(value).__name__} is no JSON value: {value!r}")
