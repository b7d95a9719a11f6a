"""The host as a line of stations from input to output, with the slots between them, for whoever draws it."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from diorama.contracts.values import JsonObject
from diorama.worlds.morphogenesis.contracts.slots import format_slot_id
from diorama.worlds.morphogenesis.data.tasks import CnnShape, TaskSpec, TransformerShape, task_named


def host_flow(task: TaskSpec, slot_ids: Sequence[str]) -> list[JsonObject]:
    """Return the stations in the order features pass them; only enabled slots are among them.

    Every station has a `kind`: input, block, pool, layers, slot or output. Its `width` counts channels or classes,
    0 where it changes none; a slot has its `slot_id`.
    """
    return [dict(station) for station in _stations(task.name, tuple(slot_ids))]


@lru_cache(maxsize=16)
def _stations(task_name: str, slot_ids: tuple[str, ...]) -> tuple[JsonObject, ...]:
    task = task_named(task_name)
    inside = _cnn(task.host) if isinstance(task.host, CnnShape) else _transformer(task.host)
    return tuple(
        station
        for station in (*inside, _station("output", task.num_classes))
        if station["slot_id"] is None or station["slot_id"] in slot_ids
    )


def _cnn(shape: CnnShape) -> Iterator[JsonObject]:
    yield _station("input", shape.in_channels)
    for block in range(shape.n_blocks):
        yield _station("block", shape.base_channels * 2**block)
        yield _station("slot", slot_id=format_slot_id(0, block))
        if block < shape.pool_layers:
            yield _station("pool")
            yield _station("slot", slot_id=format_slot_id(1, block))


def _transformer(shape: TransformerShape) -> Iterator[JsonObject]:
    yield _station("input", shape.n_embd)
    for segment in range(shape.num_segments):
        yield _station("layers", shape.n_layer // shape.num_segments)
        yield _station("slot", slot_id=format_slot_id(0, segment))


def _station(kind: str, width: int = 0, slot_id: str | None = None) -> JsonObject:
    return {"kind": kind, "width": width, "slot_id": slot_id}
