"""Replays: frames, sidecars and the index; read, verified and forked."""

import gzip
import json
from pathlib import Path
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
from tests.fuzz.effort import examples, read_or_refused
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


def _kept(path: Path) -> bytes:
    """Return the file as it was recorded; every test leaves a damaged one behind."""
    origin = path.with_name(f".{path.name}.origin")
    if not origin.exists():
        origin.write_bytes(path.read_bytes())
    return origin.read_bytes()


def test_whatever_the_sidecar_says_it_is_read_or_refused(replay: Recorded) -> None:
    layout, entry = replay
    path = layout.replay_sidecar(entry.replay_id)
    whole = _kept(path)

    @examples(5)
    @given(data=damaged_json(json.loads(whole)))
    def check(data: bytes) -> None:
        path.write_bytes(data)
        with read_or_refused():
            _read_all(layout, entry)

    try:
        check()
    finally:
        path.write_bytes(whole)


def test_whatever_the_index_says_it_is_read_or_refused(replay: Recorded) -> None:
    layout, entry = replay
    path = layout.replay_index
    whole = _kept(path)

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

    try:
        check()
    finally:
        path.write_bytes(whole)


def test_whatever_the_frames_hold_they_are_read_or_refused(replay: Recorded) -> None:
    layout, entry = replay
    path = layout.replay(entry.replay_id)
    whole = _kept(path)
    frames: list[Any] = [json.loads(line) for line in gzip.decompress(whole).splitlines()]
    repacked = damaged_lines(frames).map(packed_blob)

    @examples(5)
    @given(data=st.one_of(repacked, repacked, damaged_bytes(whole)))
    def check(data: bytes) -> None:
        path.write_bytes(data)
        with read_or_refused():
            _read_all(layout, entry)

    try:
        check()
    finally:
        path.write_bytes(whole)
