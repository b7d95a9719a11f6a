"""What rewards are computed with: numpy arrays on the host, torch tensors on a device, by the same lines of code."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np

Array: TypeAlias = Any  # numpy.ndarray or torch.Tensor: both take the operators and indexes that are used here


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """The few calls in which the two libraries differ; a type is `bool`, `int16`, `int32` or `float32`."""

    zeros: Callable[[tuple[int, ...], str], Array]
    cast: Callable[[Array, str], Array]
    constant: Callable[[object, str], Array]
    where: Callable[[Array, Array, Array], Array]
    arange: Callable[[int], Array]


HOST: Final = Library(
    zeros=lambda shape, dtype: np.zeros(shape, dtype),
    cast=lambda array, dtype: array.astype(dtype),
    constant=lambda values, dtype: np.asarray(values, dtype),
    where=np.where,
    arange=np.arange,
)
