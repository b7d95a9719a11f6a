"""A snapshot of one copy as state words: a document of what it remembers, then its tensors."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter, ValidationError

from diorama.contracts.errors import SnapshotError
from diorama.contracts.validation import first_problem
from diorama.contracts.values import U64, JsonValue
from diorama.snapshots import WordReader, WordWriter
from diorama.worlds.morphogenesis.engine.env_memo import EnvMemo, note_env, take_up
from diorama.worlds.morphogenesis.engine.nursery import Nursery
from diorama.worlds.morphogenesis.engine.own_gradients import own_gradients
from diorama.worlds.morphogenesis.engine.protocol import RowState

ENV_PREFIX: Final = "env/"
TWIN_PREFIX: Final = "twin/"
DTYPES: Final = {"float32": np.float32, "float64": np.float64, "int64": np.int64}
CLOCK_KEYS: Final = frozenset({"stage_entered_at", "captured_at"})
"""Wall-clock times: for display, and no part of a state that must be the same in every run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyMemo:
    """One copy without its tensors, of which it has the list: name, type and shape of each."""

    root_key: int
    round_index: int
    epoch: int
    env_id: int
    group: int
    has_lost_twin: bool
    env: EnvMemo
    tensors: list[tuple[str, str, list[int]]]


_ADAPTER: Final = TypeAdapter(CopyMemo)
_NO_COPY: Final = "the snapshot does not describe a copy of morphogenesis"


def write_copy(nursery: Nursery, row: int) -> U64:
    """Return the words of one copy: the clock, its env, and the rows of its host and of its control twin."""
    env, twin = nursery.envs[row], nursery.layout.twin_row(row)
    tensors: RowState = {ENV_PREFIX + name: array for name, array in nursery.engine.write_row(row).items()}
    if twin is not None:
        tensors |= {TWIN_PREFIX + name: array for name, array in nursery.engine.write_row(twin).items()}
    memo = CopyMemo(
        root_key=nursery.streams.root_key,
        round_index=nursery.round_index,
        epoch=nursery.epoch,
        env_id=env.env_id,
        group=nursery.layout.group_of(row),
        has_lost_twin=nursery.layout.group_of(row) in nursery.failed_twins,
        env=note_env(env),
        tensors=[(name, array.dtype.name, list(array.shape)) for name, array in tensors.items()],
    )
    # NaN is a value here: the loss of a host that has diverged.
    document = _without_clock(_ADAPTER.dump_python(memo, mode="json"))
    text = json.dumps(document, sort_keys=True, separators=(",", ":")).encode()
    writer = WordWriter()
    writer.add_int(len(text))
    writer.add_bytes(text)
    for array in tensors.values():
        writer.add_bytes(np.ascontiguousarray(array).tobytes())
    return writer.words()


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCopy:
    """Words of a copy, taken apart and checked."""

    memo: CopyMemo
    tensors: RowState

    def row_state(self, prefix: str) -> RowState:
        """Return the tensors of the env's or the twin's row."""
        return {name.removeprefix(prefix): array for name, array in self.tensors.items() if name.startswith(prefix)}

    @own_gradients()
    def put_into(self, nursery: Nursery, row: int, *, with_twin: bool) -> None:
        """Continue a copy from here; the twin's row is written where the copy has it for itself.

        Raises:
            SnapshotError: The tensors are not those of the copy's host.
        """
        env, twin = nursery.envs[row], nursery.layout.twin_row(row)
        take_up(env, self.memo.env, nursery.engine.bed(row))
        nursery.engine.read_row(row, self.row_state(ENV_PREFIX))
        if twin is not None and with_twin:
            nursery.engine.read_row(twin, self.row_state(TWIN_PREFIX))
            if self.memo.has_lost_twin:
                nursery.failed_twins.add(self.memo.group)
                nursery.engine.freeze(twin)

    def put_alone_into(self, nursery: Nursery) -> None:
        """Continue the only copy of a nursery from here, its clock and its twin included."""
        put_all_into(nursery, [self])


def put_all_into(nursery: Nursery, copies: Sequence[StoredCopy]) -> None:
    """Continue every copy of a nursery at the moment they are all of, their clock and their twins included.

    Raises:
        SnapshotError: The tensors are not those of the copies' hosts.
    """
    memo = copies[0].memo
    nursery.begin_round(memo.round_index)
    nursery.epoch = memo.epoch
    for row, copy in enumerate(copies):
        copy.put_into(nursery, row, with_twin=True)


def read_copy(words: U64) -> StoredCopy:
    """Take the words of a copy apart.

    Raises:
        SnapshotError: The words do not describe a copy.
    """
    reader = WordReader(words)
    try:
        memo = _ADAPTER.validate_python(json.loads(reader.read_bytes(reader.read_int())))
        tensors = {name: _read_array(reader, dtype, shape) for name, dtype, shape in memo.tensors}
    except ValidationError as error:
        raise SnapshotError(f"{_NO_COPY}: {first_problem(error)}") from None
    except (ValueError, OverflowError, RecursionError) as error:
        raise SnapshotError(f"{_NO_COPY}: {error}") from None
    reader.finish()
    return StoredCopy(memo=memo, tensors=tensors)


def _read_array(reader: WordReader, dtype: str, shape: list[int]) -> NDArray[np.generic]:
    if dtype not in DTYPES:
        raise ValueError(f"a tensor is of type {dtype!r}; types are: {', '.join(DTYPES)}")
    kind = np.dtype(DTYPES[dtype])
    count = int(np.prod(shape, dtype=np.int64))
    return np.frombuffer(reader.read_bytes(count * kind.itemsize), dtype=kind).reshape(shape)


def _without_clock(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {key: _without_clock(item) for key, item in value.items() if key not in CLOCK_KEYS}
    return [_without_clock(item) for item in value] if isinstance(value, list) else value
