"""Everything two sides are compared by after each reset and step, in the order it is compared."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from diorama.contracts.records import StepRecord
from diorama.contracts.spec import Dtype, WorldSpec
from diorama.contracts.values import JsonObject, JsonValue
from diorama.engine.batch import Batch
from diorama.parity.differences import Difference, Namer, differing_entries, differing_values
from diorama.parity.profiles import Kind, Profile, is_compared, tolerance_of
from diorama.snapshots import hash_hex


@dataclass(frozen=True, slots=True)
class ArrayField:
    """A compared array; `columns` names the entries of a row, where they have names."""

    name: str
    kind: Kind
    read: Callable[[Batch, StepRecord], NDArray[np.generic]]
    columns: Callable[[WorldSpec], tuple[str, ...]] | None = None


@dataclass(frozen=True, slots=True)
class ValueField:
    """A compared plain value."""

    name: str
    kind: Kind
    read: Callable[[Batch, StepRecord], JsonValue]


def float_columns(spec: WorldSpec) -> tuple[str, ...]:
    """Name every entry of a float observation row."""
    return _entry_names(spec, Dtype.FLOAT32)


def byte_columns(spec: WorldSpec) -> tuple[str, ...]:
    """Name every entry of a byte observation row."""
    return _entry_names(spec, Dtype.UINT8)


def _entry_names(spec: WorldSpec, dtype: Dtype) -> tuple[str, ...]:
    return tuple(
        item.name + (f"[{', '.join(str(number) for number in place)}]" if item.shape else "")
        for item in spec.observation
        if item.dtype is dtype
        for place in np.ndindex(item.shape)
    )


def _option_columns(spec: WorldSpec) -> tuple[str, ...]:
    return spec.option_names


def _metric_columns(spec: WorldSpec) -> tuple[str, ...]:
    return spec.metric_keys


def _flags(record: StepRecord) -> JsonObject:
    return {"terminated": record.terminated, "truncated": record.truncated, "dt": record.dt}


COMPARED: Final[tuple[ArrayField | ValueField, ...]] = (
    ArrayField("terminated", Kind.DISCRETE, lambda batch, _: batch.terminated),
    ArrayField("truncated", Kind.DISCRETE, lambda batch, _: batch.truncated),
    ArrayField("dt", Kind.DISCRETE, lambda batch, _: batch.dt),
    ValueField("step_record", Kind.DISCRETE, lambda _, record: _flags(record)),
    ArrayField("event_bits", Kind.DISCRETE, lambda batch, _: batch.events),
    ValueField("events", Kind.DISCRETE, lambda _, record: record.events),
    ValueField("effective", Kind.DISCRETE, lambda _, record: record.effective),
    ValueField("received", Kind.DISCRETE, lambda _, record: record.received),
    ValueField("info", Kind.METRIC, lambda _, record: record.info),
    ValueField("rng_draws", Kind.DISCRETE, lambda _, record: record.draws),
    ArrayField("masks", Kind.DISCRETE, lambda batch, _: batch.masks, _option_columns),
    ArrayField("reward", Kind.REWARD, lambda _, record: np.array(record.rewards, np.float64)),
    ArrayField("rewards", Kind.REWARD, lambda batch, _: batch.rewards),
    ValueField("reward_terms", Kind.REWARD, lambda _, record: record.reward_terms),
    ArrayField("obs", Kind.OBSERVATION, lambda batch, _: batch.obs, float_columns),
    ArrayField("obs_u8", Kind.OBSERVATION, lambda batch, _: batch.obs_u8, byte_columns),
    ArrayField("final_obs", Kind.OBSERVATION, lambda batch, _: batch.final_obs, float_columns),
    ArrayField("final_obs_u8", Kind.OBSERVATION, lambda batch, _: batch.final_obs_u8, byte_columns),
    ArrayField("metrics", Kind.METRIC, lambda _, record: np.array(record.metrics, np.float64), _metric_columns),
    ArrayField("metrics_f32", Kind.METRIC, lambda batch, _: batch.metrics, _metric_columns),
    ValueField("event_data", Kind.METRIC, lambda _, record: record.event_data),
    ArrayField("alive", Kind.DISCRETE, lambda batch, _: batch.alive),
    ArrayField("episode_start", Kind.DISCRETE, lambda batch, _: batch.episode_start),
    ValueField("episode_seed", Kind.DISCRETE, lambda batch, _: batch.episode_seed(0)),
    ValueField("state_hash", Kind.STATE, lambda batch, _: hash_hex(batch.state_hash(0))),
)
"""After a reset and after every step."""

_PICTURE: Final = ValueField("render_state", Kind.METRIC, lambda batch, _: batch.render_state(0))

COMPARED_AT_OPENING: Final[tuple[ArrayField | ValueField, ...]] = (*COMPARED, _PICTURE)
"""After a step that ended an episode: the next one is open by then, while the record is of the step."""

COMPARED_AT_END: Final[tuple[ArrayField | ValueField, ...]] = (
    ArrayField("snapshot", Kind.STATE, lambda batch, _: np.frombuffer(batch.snapshot(0), np.uint8)),
    _PICTURE,
)
"""Once, when a case is over."""

# Read only where the hashes differ: the words say which part of the state it is.
_STATE_WORDS: Final = ArrayField("state_words", Kind.STATE, lambda batch, _: batch.state_words(0))


@dataclass(frozen=True, slots=True)
class Side:
    """One tier's batch of one copy and the record of its last step."""

    batch: Batch
    record: StepRecord


def find_differences(
    fields: tuple[ArrayField | ValueField, ...], reference: Side, fast: Side, profile: Profile
) -> list[Difference]:
    """Return every difference between two sides, field by field."""
    found: list[Difference] = []
    for field in fields:
        if is_compared(field.kind, profile):
            found.extend(_compare(field, reference, fast, profile))
    if any(item.field == "state_hash" for item in found):
        found.extend(_compare(_STATE_WORDS, reference, fast, profile))
    return found


def _compare(field: ArrayField | ValueField, reference: Side, fast: Side, profile: Profile) -> Iterator[Difference]:
    tolerance = tolerance_of(field.kind, profile, reference.batch.world.tolerance)
    if isinstance(field, ValueField):
        value, other_value = field.read(reference.batch, reference.record), field.read(fast.batch, fast.record)
        # Equal texts are equal values, and quicker to find: signs of zeros, 1 and 1.0 and True are told apart, any
        # NaN is like any other.
        if repr(value) != repr(other_value):
            yield from differing_values(field.name, value, other_value, tolerance=tolerance)
        return
    array, other = field.read(reference.batch, reference.record), field.read(fast.batch, fast.record)
    if (array.dtype, array.shape) != (other.dtype, other.shape) or array.tobytes() != other.tobytes():
        namer = _namer(field, reference.batch.spec)
        yield from differing_entries(field.name, array, other, tolerance=tolerance, name_of=namer)


def _namer(field: ArrayField, spec: WorldSpec) -> Namer:
    columns = field.columns

    def name_of(index: tuple[int, ...]) -> str:
        if columns is None:
            return "" if spec.agents == 1 and index == (0,) else f"[{', '.join(str(number) for number in index)}]"
        seat, column = index
        name = columns(spec)[column]
        return name if spec.agents == 1 else f"{name} of seat {seat}"

    return name_of
