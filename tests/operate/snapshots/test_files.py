"""Snapshot files: whole or refused, whatever their bytes are."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.operate.snapshots.document import read_document
from diorama.operate.snapshots.errors import SnapshotCorrupt
from diorama.operate.snapshots.files import MAX_TEXT_BYTES, read_snapshot, write_snapshot
from diorama.operate.snapshots.loading import open_snapshot
from diorama.operate.snapshots.migrations import MigrationGraph
from diorama.operate.snapshots.paths import OutsideRoot, SnapshotFolder, autosave_path
from tests.operate.snapshots.documents import document
from tests.refusals import refused
from tests.storage.bombs import MIB, peak_below

_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=25, deadline=None)
@given(body=st.dictionaries(st.text(), _VALUES, max_size=4))
def test_a_document_comes_back_as_it_was_written(
    body: dict[str, object], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("snapshots") / "one.json.gz"
    written = document(body=body)  # type: ignore[arg-type]

    write_snapshot(path, written)

    assert read_document(read_snapshot(path)) == written


def test_equal_states_give_equal_files(tmp_path: Path) -> None:
    for name in ("one", "other"):
        write_snapshot(tmp_path / name, document())

    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_no_flipped_or_missing_byte_goes_unnoticed(tmp_path: Path) -> None:
    path = tmp_path / "one.json.gz"
    write_snapshot(path, document())
    whole = path.read_bytes()
    broken = [whole[:size] for size in range(0, len(whole), 7)]
    broken += [whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :] for at in range(10, len(whole), 5)]
    broken += [whole + b"more", b"[]", gzip.compress(b"[]"), gzip.compress(b'{"schema_version": 2}')]

    for data in broken:
        path.write_bytes(data)
        with pytest.raises(SnapshotCorrupt):
            open_snapshot(path, MigrationGraph())


def test_a_changed_body_is_noticed_although_the_file_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "one.json.gz"
    written = {**document().to_json(), "body": {"world": {"x": 0.2}}}
    path.write_bytes(gzip.compress(json.dumps(written).encode()))

    with pytest.raises(SnapshotCorrupt, match="body hashes to"):
        open_snapshot(path, MigrationGraph())


def test_a_number_beyond_all_bounds_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "one.json.gz"
    written = json.dumps({**document().to_json(), "body": {"x": "huge"}}).replace('"huge"', "1e999")
    path.write_bytes(gzip.compress(written.encode()))

    with pytest.raises(SnapshotCorrupt, match="out of range"):
        open_snapshot(path, MigrationGraph())


def test_a_snapshot_that_is_not_there_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(UnknownName):
        open_snapshot(tmp_path / "none.json.gz", MigrationGraph())


@pytest.mark.parametrize("given", ["../x.json.gz", "/etc/passwd", "a/../../x", "link/x.json.gz", "", "a\0b"])
def test_no_path_leads_out_of_the_folder(given: str, tmp_path: Path) -> None:
    root = tmp_path / "snapshots"
    root.mkdir()
    (root / "link").symlink_to(tmp_path)

    with pytest.raises(OutsideRoot):
        SnapshotFolder(root).inside(given)


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", ".hidden", "a" * 129, "ü"])
def test_only_plain_names_can_be_saved_under(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="not allowed"):
        SnapshotFolder(tmp_path).named(name)


def test_a_tick_that_comes_by_again_gets_a_name_of_its_own(tmp_path: Path) -> None:
    first = autosave_path(tmp_path, 100)
    first.touch()

    assert first.name == "snapshot-100.json.gz"
    assert autosave_path(tmp_path, 100).name == "snapshot-100.1.json.gz"


def test_a_small_file_that_unpacks_to_many_values_is_refused_before_they_are_made(tmp_path: Path) -> None:
    path = tmp_path / "one.json.gz"
    path.write_bytes(gzip.compress(b'{"body":[' + b"[]," * (8 * MIB) + b"0]}", 1))
    assert path.stat().st_size < MIB

    with peak_below(80 * MIB), refused(SnapshotCorrupt, "json_too_many_values"):
        read_snapshot(path)


def test_a_file_that_declares_more_than_is_unpacked_is_refused_before_it_is(tmp_path: Path) -> None:
    path = tmp_path / "one.json.gz"
    path.write_bytes(gzip.compress(bytes(1000))[:-4] + (MAX_TEXT_BYTES + 1).to_bytes(4, "little"))

    with refused(SnapshotCorrupt, "gzip_too_large", declared=MAX_TEXT_BYTES + 1):
        read_snapshot(path)
