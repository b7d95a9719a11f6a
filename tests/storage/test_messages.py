"""The wording of what is said about files that are not read; other tests assert codes and fields."""

import gzip
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from diorama.contracts.errors import DioramaError
from diorama.storage import line_files
from diorama.storage.array_files import parse_npz
from diorama.storage.artifact_files import read_artifact
from diorama.storage.json_text import decode_json
from diorama.storage.line_files import whole_lines
from diorama.storage.unpacking import ZipMembers, unpack_gzip
from tests.storage.bombs import MIB, declaring, zip_of

PACKED = gzip.compress(b"some text")


def link(folder: Path) -> object:
    (folder / "x").symlink_to("/etc/passwd")
    return read_artifact(folder / "x", most_bytes=9)


def pipe(folder: Path) -> object:
    os.mkfifo(folder / "x")
    return read_artifact(folder / "x", most_bytes=9)


def large(folder: Path) -> object:
    (folder / "x").write_bytes(bytes(10))
    return read_artifact(folder / "x", most_bytes=9)


def long_line(folder: Path) -> object:
    (folder / "x").write_bytes(b"a\n" + bytes(line_files.MAX_LINE_BYTES + 1))
    return list(whole_lines(folder / "x"))


@pytest.mark.parametrize(
    ("cause", "message"),
    [
        pytest.param(link, "FOLDER/x: 'x' is a link; what is read here must lie in its folder itself", id="link"),
        pytest.param(pipe, "FOLDER/x is no file", id="pipe"),
        pytest.param(large, "FOLDER/x: holds more than 9 bytes, the most that is read", id="large"),
        pytest.param(lambda folder: read_artifact(folder / "x", most_bytes=9), "FOLDER/x does not exist", id="missing"),
        pytest.param(
            lambda folder: read_artifact(folder / ".." / "x", within=folder, most_bytes=9),
            "'FOLDER/../x' lies outside of 'FOLDER'; only files inside of it are read",
            id="outside",
        ),
        pytest.param(long_line, "FOLDER/x line 2: has more than 16777216 bytes, the most that is read", id="long-line"),
        pytest.param(lambda _: unpack_gzip(b"text", most_bytes=9, where="x.gz"), "x.gz: is no gzip", id="no-gzip"),
        pytest.param(lambda _: unpack_gzip(PACKED[:9], most_bytes=9, where="x.gz"), "x.gz: is cut short", id="cut"),
        pytest.param(
            lambda _: unpack_gzip(PACKED, most_bytes=8, where="x.gz"),
            "x.gz: is cut short, or declares 9 bytes; at most 8 are unpacked",
            id="gzip-too-large",
        ),
        pytest.param(
            lambda _: unpack_gzip(PACKED + b"\x09\0\0\0", most_bytes=9, where="x.gz"),
            "x.gz: holds more than the 9 bytes that its end declares",
            id="gzip-overfull",
        ),
        pytest.param(
            lambda _: parse_npz(zip_of({"a.npy": b"1"}, zipfile.ZIP_BZIP2), ["a"], "x.npz"),
            "x.npz: 'a.npy' is packed with method 12; members must be stored or deflated, and not encrypted",
            id="bzip2",
        ),
        pytest.param(
            lambda _: list(ZipMembers(zip_of({"a": b"12"}), most_bytes=1, where="x.zip").read(["a"])),
            "x.zip: unpacks to more than 1 bytes, the most that is read",
            id="zip-too-large",
        ),
        pytest.param(
            lambda _: list(ZipMembers(zip_of({"a": b"12"}), most_bytes=1, where="x.zip").read(["b"])),
            "x.zip: there is no item named 'b' in the archive",
            id="zip-without-it",
        ),
        pytest.param(
            lambda _: list(ZipMembers(declaring(zip_of({"a": b"12"}), 1), most_bytes=MIB, where="x.zip").read(["a"])),
            "x.zip: is no whole archive (Bad CRC-32 for file 'a')",
            id="zip-overfull",
        ),
        pytest.param(
            lambda _: decode_json(b"[0,1,2]", list, where="x.json", most_values=2),
            "x.json: holds more than 2 values, the most that are read",
            id="many-values",
        ),
        pytest.param(
            lambda _: decode_json(b"[" * 70 + b"]" * 70, list, where="x.json"),
            "x.json: is nested deeper than 64 levels",
            id="deep",
        ),
        pytest.param(
            lambda _: decode_json(b"[18446744073709551616]", list, where="x.json"),
            "x.json: holds a whole number of 65 bits; at most 64 are read",
            id="large-number",
        ),
    ],
)
def test_a_message_says_what_and_where_and_what_would_be_right(
    cause: Callable[[Path], object], message: str, tmp_path: Path
) -> None:
    with pytest.raises(DioramaError) as caught:
        cause(tmp_path)

    assert str(caught.value).replace(str(tmp_path), "FOLDER") == message
