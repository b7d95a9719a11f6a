"""Only ordinary files inside of their folder are opened, and none is waited for."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from diorama.contracts.errors import DocumentError, UnknownName
from diorama.storage.artifact_files import artifact_status, named_file, read_artifact, read_named
from tests.refusals import refused


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a file in a folder of its own; beside it lies a secret."""
    (tmp_path / "secret").write_bytes(b"secret")
    (tmp_path / "run" / "inner").mkdir(parents=True)
    (tmp_path / "run" / "inner" / "file").write_bytes(b"contents")
    return tmp_path / "run"


def test_a_file_is_read_wherever_its_folder_lies(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = folder.parent / "link"
    link.symlink_to(folder)
    monkeypatch.chdir(folder.parent)

    for within in (folder, link, Path("run")):
        assert read_artifact(within / "inner" / "file", within=within, most_bytes=8) == b"contents"
        assert artifact_status(within / "inner" / "file", within=within).st_size == 8
    assert read_artifact(folder / "inner" / "file", most_bytes=8) == b"contents"


def put_link(folder: Path) -> str:
    (folder / "x").symlink_to(folder.parent / "secret")
    return "x"


def put_link_inside(folder: Path) -> str:
    (folder / "x").symlink_to("inner/file")
    return "x"


def put_folder_link(folder: Path) -> str:
    (folder / "x").symlink_to(folder.parent)
    return "x/secret"


def put_pipe(folder: Path) -> str:
    os.mkfifo(folder / "x")
    return "x"


@pytest.mark.parametrize(
    ("put", "code"),
    [
        pytest.param(put_link, "artifact_is_link", id="link"),
        pytest.param(put_link_inside, "artifact_is_link", id="link-inside"),
        pytest.param(put_folder_link, "artifact_is_link", id="folder-link"),
        pytest.param(put_pipe, "artifact_not_a_file", id="pipe"),
        pytest.param(lambda _: "inner", "artifact_not_a_file", id="folder"),
        pytest.param(lambda _: "../secret", "artifact_outside", id="above"),
        pytest.param(lambda _: "inner/../../secret", "artifact_outside", id="around"),
        pytest.param(lambda _: "/etc/passwd", "artifact_outside", id="elsewhere"),
        pytest.param(lambda _: "", "artifact_outside", id="the-folder-itself"),
        pytest.param(lambda _: "a\0b", "artifact_outside", id="zero-byte"),
        pytest.param(lambda _: "x" * 300, "artifact_unreadable", id="long-name"),
    ],
)
def test_nothing_else_is_opened_or_looked_at(put: Callable[[Path], str], code: str, folder: Path) -> None:
    path = folder / put(folder)

    with refused(DocumentError, code):
        read_artifact(path, within=folder, most_bytes=100)
    with refused(DocumentError, code):
        artifact_status(path, within=folder)


@pytest.mark.parametrize("name", ["none", "inner/none", "none/none", "inner/file/none"])
def test_what_is_missing_is_told_as_missing(name: str, folder: Path) -> None:
    with refused(UnknownName, "artifact_missing", path=folder / name):
        read_artifact(folder / name, within=folder, most_bytes=100)
    with refused(UnknownName, "artifact_missing", path=folder / name):
        read_artifact(folder / name, most_bytes=100)


def test_a_file_that_is_too_large_is_not_read(folder: Path) -> None:
    with refused(DocumentError, "artifact_too_large", most_bytes=7):
        read_artifact(folder / "inner" / "file", within=folder, most_bytes=7)


def test_a_file_that_the_user_has_named_may_be_a_link_and_no_pipe(folder: Path) -> None:
    put_link_inside(folder)
    os.mkfifo(folder / "pipe")

    assert read_named(folder / "x", most_bytes=8) == b"contents"
    assert named_file(folder / "x") == (folder / "inner" / "file").resolve()
    with refused(DocumentError, "artifact_not_a_file"):
        read_named(folder / "pipe", most_bytes=8)
    with refused(DocumentError, "artifact_too_large", most_bytes=7):
        read_named(folder / "x", most_bytes=7)
    with refused(UnknownName, "artifact_missing"):
        read_named(folder / "none", most_bytes=8)


def test_descriptors_are_given_back(folder: Path) -> None:
    put_folder_link(folder)
    before = len(list(Path("/dev/fd").iterdir()))

    for _ in range(20):
        read_artifact(folder / "inner" / "file", within=folder, most_bytes=8)
        for name in ("x/secret", "inner", "none/none"):
            with pytest.raises((DocumentError, UnknownName)):
                read_artifact(folder / name, within=folder, most_bytes=8)

    assert len(list(Path("/dev/fd").iterdir())) == before
