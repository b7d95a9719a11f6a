"""Replays: frames, sidecars and the index; read, verified and forked."""

import gzip
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from diorama.runs.layout import RunLayout
from diorama.runs.replays.entry import ReplayEntry
from diorama.runs.replays.index import ReplayFilter, read_index
from diorama.runs.replays.reader import open_entry, open_replay
from diorama.runs.replays.verify import verify_replay
from tests.fuzz.damage import damaged_bytes, damaged_json, damaged_lines, packed_blob
from tests.fuzz.effort import examples, put_back, read_or_refused
from tests.runs.factories import empty_run, recorded

Recorded = tuple[RunLayout, ReplayEntry]


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    layout = empty_run(tmp_path_factory.mktemp("runs"))
    return layout, recorded(layout, bot="prudent_hauler", max_steps=12, include_info=True)


def _read_all(layout: RunLayout, entry: ReplayEntry) -> None:
    reader = open_replay(layout, entry.replay_id)
    assert len(list(reader.frames())) == reader.frame_count
    list(reader.lines(3, 4))
    verify_replay(reader, with_pictures=True)


def test_whatever_the_sidecar_says_it_is_read_or_refused(replay: Recorded) -> None:
    layout, entry = replay
    path = layout.replay_sidecar(entry.replay_id)
    with put_back(path) as whole:

        @examples(5)
        @given(data=damaged_json(json.loads(whole)))
        def check(data: bytes) -> None:
            path.write_bytes(data)
            with read_or_refused():
                _read_all(layout, entry)

        check()


def test_whatever_the_index_says_it_is_read_or_refused(replay: Recorded) -> None:
    layout, entry = replay
    path = layout.replay_index
    with put_back(path) as whole:

        @examples(5)
        @given(data=damaged_json(json.loads(whole)))
        def check(data: bytes) -> None:
            path.write_bytes(data)
            with read_or_refused():
                index = read_index(layout)
                for found in index.find(ReplayFilter(tags_any=("best_so_far", "every_window"), limit=3)):
                    with read_or_refused():
                        list(open_entry(layout, found).frames())
                index.entry(entry.replay_id)

        check()


def test_whatever_the_frames_hold_they_are_read_or_refused(replay: Recorded) -> None:
    layout, entry = replay
    path = layout.replay(entry.replay_id)
    with put_back(path) as whole:
        frames: list[Any] = [json.loads(line) for line in gzip.decompress(whole).splitlines()]
        repacked = damaged_lines(frames).map(packed_blob)

        @examples(5)
        @given(data=st.one_of(repacked, repacked, damaged_bytes(whole)))
        def check(data: bytes) -> None:
            path.write_bytes(data)
            with read_or_refused():
                _read_all(layout, entry)

        check()
