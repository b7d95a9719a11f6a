"""Turns whatever integers a caller hands over into the rows a core reads."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.errors import ContractError, UnknownOption
from diorama.contracts.spec import WorldSpec
from diorama.contracts.values import I32

_INT32 = np.iinfo(np.int32)
_INT32_TYPE = np.dtype(np.int32)


def as_action_rows(actions: NDArray[np.integer] | Sequence[int], shape: tuple[int, int]) -> I32:
    """Return `actions` as contiguous int32 of a shape, rows × heads, without copying where it already is.

    Integers beyond int32 are clipped to it: they stay what they were, out of every world's range.

    Raises:
        TypeError: When the entries are not integers.
        ContractError: When the shape does not fit.
    """
    array = np.asarray(actions)
    # Every step of every batch comes through here, nearly always with what the core reads as it is.
    if array.dtype is _INT32_TYPE and array.shape == shape and array.flags.c_contiguous:
        return array
    rows, heads = shape
    if array.dtype.kind not in "iu":
        raise TypeError(f"actions are {array.dtype}; they must be integers")
    if array.shape != (rows, heads) and not (heads == 1 and array.shape == (rows,)):
        flat = f" or ({rows},)" if heads == 1 else ""
        raise ContractError(f"actions have shape {array.shape}; this batch takes ({rows}, {heads}){flat}")
    if array.dtype != np.int32:
        array = np.clip(array, _INT32.min, _INT32.max).astype(np.int32)
    return np.ascontiguousarray(array).reshape(rows, heads)


class OptionCheck:
    """Refuses options that do not exist, before anything is stepped."""

    def __init__(self, spec: WorldSpec) -> None:
        """Look up how many options each head has."""
        self._spec = spec
        self._sizes = np.array([len(head.options) for head in spec.heads], np.uint32)

    def check(self, rows: I32) -> None:
        """Look at contiguous rows × heads.

        Raises:
            UnknownOption: With the first row, head and option.
        """
        wrong = rows.view(np.uint32) >= self._sizes  # read without a sign, negative options are too large
        if wrong.any():
            row, head = (int(place) for place in np.argwhere(wrong)[0])
            name, last = self._spec.heads[head].name, int(self._sizes[head]) - 1
            raise UnknownOption(f"C002 row {row}: {name} is {int(rows[row, head])}; it must be 0 to {last}")
