import hashlib

import pytest

from diorama.worlds.townlet.codes import NOBODY
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.streams import Streams
from diorama.worlds.townlet.reference.systems.embedding import (
    allocate,
    embedding_metrics,
    has_free_slot,
    identity_vector,
    release_slot,
)
from tests.worlds.townlet.towns import of_kind, town_of


def test_streams_are_seeded_from_the_text_of_seed_and_name() -> None:
    streams = Streams.of_seed(1337)
    digest = hashlib.sha256(b"1337:world").digest()

    assert streams.world.inc == (int.from_bytes(digest[8:16], "little") << 1 | 1) & (1 << 64) - 1
    assert streams.world.inc != streams.events.inc
    assert streams.draws == 0


def test_an_identity_vector_hangs_on_the_slot_alone() -> None:
    byte = hashlib.sha256(b"embed:5").digest()[3]

    assert identity_vector(5)[3] == 2.0 * byte / 255.0 - 1.0
    assert len(identity_vector(5)) == 8
    assert identity_vector(5) != identity_vector(6)


def test_never_used_slots_come_first_then_the_one_that_rested_longest() -> None:
    town = town_of({"embedding_allocator": {"max_slots": 16, "cooldown_ticks": 100}})
    pool = town.embedding
    for number in range(100, 115):
        allocate(town, number)
    for number, tick in ((103, 5), (101, 9)):
        town.tick = tick
        release_slot(town, number)
    town.tick = 200

    assert allocate(town, 105) == pool.holders.index(105)
    assert allocate(town, 200) == 4  # citizen 0 has slot 0, so number 103 had slot 4
    assert pool.forced_reuse_count == 0


def test_forced_reuse_is_counted_told_and_warned_of() -> None:
    town = town_of({"embedding_allocator": {"max_slots": 16}})
    town.events.clear()
    for number in range(100, 115):
        allocate(town, number)
    town.tick = 50
    release_slot(town, 107)
    town.tick = 60

    allocate(town, 300)

    (told,) = of_kind(town, town.events, EventKind.EMBEDDING_FORCED_REUSE)
    assert told == {"slot": 8, "age_ticks": 10}
    metrics = embedding_metrics(town)
    assert metrics.forced_reuse_rate == 1 / 17
    assert metrics.reuse_warning
    assert not has_free_slot(town)
    assert NOBODY not in town.embedding.holders


@pytest.mark.parametrize(("rested", "reused"), [(1999, 1), (2000, 0)])
def test_a_slot_rests_two_thousand_ticks_unless_there_is_no_other(rested: int, reused: int) -> None:
    town = town_of({"embedding_allocator": {"max_slots": 16}})
    for number in range(100, 115):
        allocate(town, number)
    town.tick = 50
    release_slot(town, 107)
    town.tick += rested

    assert allocate(town, 300) == 8
    assert town.embedding.forced_reuse_count == reused
