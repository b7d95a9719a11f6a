"""Snapshots of a copy whose seal is right and whose contents are not: each is refused in one line."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from diorama.contracts.errors import SnapshotError
from diorama.engine.batch import Batch
from diorama.engine.make import make
from diorama.snapshots import WordReader, WordWriter, pack_snapshot, unpack_snapshot
from diorama.worlds.morphogenesis.contract import SNAPSHOT_MAGIC, SNAPSHOT_VERSION
from diorama.worlds.morphogenesis.engine.core import SEQUENCE_WORDS
from tests.worlds.morphogenesis.small_worlds import SMALL

Document = dict[str, Any]


@pytest.fixture(scope="module")
def batch() -> Iterator[Batch]:
    batch = make("morphogenesis", seed=5, tier="reference", config=SMALL)
    batch.reset()
    yield batch
    batch.close()


def sealed(whole: bytes, rewrite: Callable[[bytes], bytes]) -> bytes:
    """Return a snapshot with another document in it, under a seal of what it now holds."""
    header, words = unpack_snapshot(whole, SNAPSHOT_MAGIC, SNAPSHOT_VERSION)
    reader = WordReader(words[SEQUENCE_WORDS:])
    text = reader.read_bytes(reader.read_int())
    changed = rewrite(text)
    writer = WordWriter()
    writer.add_ints(words[:SEQUENCE_WORDS])
    writer.add_int(len(changed))
    writer.add_bytes(changed)
    writer.add_ints(words[SEQUENCE_WORDS + 1 + -(-len(text) // 8) :])
    return pack_snapshot(SNAPSHOT_MAGIC, SNAPSHOT_VERSION, header, writer.words())


def rewritten(change: Callable[[Document], object]) -> Callable[[bytes], bytes]:
    def rewrite(text: bytes) -> bytes:
        document = json.loads(text)
        change(document)
        return json.dumps(document, sort_keys=True, separators=(",", ":")).encode()

    return rewrite


def test_a_snapshot_that_is_sealed_anew_is_the_same_as_before(batch: Batch) -> None:
    whole = batch.snapshot(0)

    assert sealed(whole, lambda text: text) == sealed(whole, rewritten(lambda document: None)) == whole


@pytest.mark.parametrize(
    ("rewrite", "words"),
    [
        pytest.param(rewritten(lambda document: document.pop("epoch")), "epoch: it is missing", id="missing"),
        pytest.param(
            rewritten(lambda document: document["env"].update(births=["many"], rollbacks="none", seeds=3)),
            "env.seeds: it should be a list",
            id="several-wrong",
        ),
        pytest.param(
            rewritten(lambda document: document["tensors"][0].__setitem__(1, "float16")),
            "a tensor is of type 'float16'; types are: float32, float64, int64",
            id="tensor-type",
        ),
        pytest.param(
            rewritten(lambda document: document["tensors"][0].__setitem__(2, [1 << 70])), "too large", id="tensor-size"
        ),
        pytest.param(lambda text: b"[" * 100_000, "recursion", id="deep"),
        pytest.param(lambda text: text[:-1], "Expecting", id="cut"),
        pytest.param(lambda text: b"3", "it should be a dictionary", id="no-object"),
    ],
)
def test_a_damaged_snapshot_is_refused_in_one_line_and_changes_nothing(
    batch: Batch, rewrite: Callable[[bytes], bytes], words: str
) -> None:
    before = batch.state_hash(0)

    with pytest.raises(SnapshotError) as refused:
        batch.restore(0, sealed(batch.snapshot(0), rewrite))

    message = str(refused.value)
    assert message.startswith("the snapshot does not describe a copy of morphogenesis: ")
    assert words in message
    assert message.splitlines() == [message]
    assert batch.state_hash(0) == before
