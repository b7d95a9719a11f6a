"""Turns whatever integers a caller hands over into the rows a core reads."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.errors import ContractError
from diorama.contracts.values import I32

_INT32 = np.iinfo(np.int32)


def as_action_rows(actions: NDArray[np.integer] | Sequence[int], *, rows: int, heads: int) -> I32:
    """Return `actions` as contiguous int32, rows × heads, without copying where it already is.

    Integers beyond int32 are clipped to it: they stay what they were, out of every world's range.

    Raises:
        TypeError: When the entries are not integers.
        ContractError: When the shape does not fit.
    """
    array = np.asarray(actions)
    if array.dtype.kind not in "iu":
        raise TypeError(f"actions are {array.dtype}; they must be integers")
    if array.shape != (rows, heads) and not (heads == 1 and array.shape == (rows,)):
        flat = f" or ({rows},)" if heads == 1 else ""
        raise ContractError(f"actions have shape {array.shape}; this batch takes ({rows}, {heads}){flat}")
    if array.dtype != np.int32:
        array = np.clip(array, _INT32.min, _INT32.max).astype(np.int32)
    return np.ascontiguousarray(array).reshape(rows, heads)
