"""Lines are whole, whatever happened to the writer before."""

import os
from pathlib import Path

import pytest

from diorama.contracts.errors import StorageError
from diorama.storage.line_files import LineFile

BLOCK = 1 << 16


def test_lines_are_with_the_system_before_append_returns(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "lines"
    file = LineFile(path)

    file.append(b"one")
    file.append(b"two")

    assert path.read_bytes() == b"one\ntwo\n"
    assert file.last_line() == b"two"
    file.close()


@pytest.mark.parametrize(
    ("left", "kept"),
    [
        pytest.param(b"", b"", id="empty"),
        pytest.param(b"whole\n", b"whole\n", id="whole"),
        pytest.param(b"whole\nhal", b"whole\n", id="half-a-line"),
        pytest.param(b"hal", b"", id="only-half-a-line"),
        pytest.param(b"whole\n" + b"x" * (3 * BLOCK), b"whole\n", id="half-a-long-line"),
        pytest.param(b"x" * (2 * BLOCK) + b"\ny", b"x" * (2 * BLOCK) + b"\n", id="after-a-long-line"),
    ],
)
def test_what_a_killed_writer_left_unfinished_is_cut_off(tmp_path: Path, left: bytes, kept: bytes) -> None:
    path = tmp_path / "lines"
    path.write_bytes(left)

    file = LineFile(path)
    last = file.last_line()
    file.append(b"next")
    file.close()

    assert path.read_bytes() == kept + b"next\n"
    assert last == (kept.splitlines()[-1] if kept else None)


def test_a_full_disk_leaves_no_part_of_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = LineFile(tmp_path / "lines")
    file.append(b"before")
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, text: write(descriptor, text[:3]))

    with pytest.raises(StorageError, match="only a part of what was added"):
        file.append(b"too much")

    monkeypatch.undo()
    file.append(b"after")
    file.close()
    assert (tmp_path / "lines").read_bytes() == b"before\nafter\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_disk_that_refuses_is_named() -> None:
    with pytest.raises(StorageError, match="/dev/full: cannot be written"):
        LineFile(Path("/dev/full")).append(b"line")


def test_a_link_in_place_of_the_file_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "else").write_bytes(b"half a line of somebody else")
    (tmp_path / "lines").symlink_to(tmp_path / "else")

    with pytest.raises(StorageError, match="cannot be written"):
        LineFile(tmp_path / "lines")

    assert (tmp_path / "else").read_bytes() == b"half a line of somebody else"
