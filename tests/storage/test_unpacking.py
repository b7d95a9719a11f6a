"""Nothing is unpacked beyond what it declares and may have."""

import gzip
import io
import zipfile

import numpy as np
import pytest

from diorama.contracts.errors import DocumentError
from diorama.storage.array_files import parse_npz
from diorama.storage.unpacking import MAX_MEMBERS, ZipMembers, unpack_gzip
from tests.refusals import refused
from tests.storage.bombs import MIB, declaring, peak_below, zip_of

TEXT = b"a line of text\n" * 500


def test_gzip_comes_back() -> None:
    assert unpack_gzip(gzip.compress(TEXT), most_bytes=len(TEXT), where="x.gz") == TEXT
    assert unpack_gzip(gzip.compress(b""), most_bytes=0, where="x.gz") == b""


@pytest.mark.parametrize(
    ("packed", "code"),
    [
        pytest.param(b"", "gzip_cut_short", id="nothing"),
        pytest.param(b"plain text that is long enough", "gzip_invalid", id="plain"),
        pytest.param(gzip.compress(TEXT)[:15], "gzip_cut_short", id="a-header"),
        pytest.param(gzip.compress(TEXT)[:14] + (500).to_bytes(4, "little"), "gzip_cut_short", id="a-part"),
        pytest.param(gzip.compress(TEXT)[:-8] + bytes(4) + gzip.compress(TEXT)[-4:], "gzip_invalid", id="wrong-sum"),
        pytest.param(gzip.compress(TEXT) + gzip.compress(TEXT), "gzip_overfull", id="two-members"),
        pytest.param(gzip.compress(TEXT)[:-4] + (99).to_bytes(4, "little"), "gzip_overfull", id="declares-less"),
        pytest.param(gzip.compress(TEXT * 2), "gzip_too_large", id="too-large"),
    ],
)
def test_gzip_that_is_broken_or_too_large_is_refused(packed: bytes, code: str) -> None:
    with refused(DocumentError, code, where="x.gz"):
        unpack_gzip(packed, most_bytes=len(TEXT), where="x.gz")


def test_gzip_that_declares_too_much_is_never_unpacked() -> None:
    packed = gzip.compress(bytes(64 * MIB), 1)

    with peak_below(MIB), refused(DocumentError, "gzip_too_large", declared=64 * MIB):
        unpack_gzip(packed, most_bytes=MIB, where="x.gz")


def test_gzip_that_declares_little_is_unpacked_no_further() -> None:
    packed = gzip.compress(bytes(64 * MIB), 1)[:-4] + (1000).to_bytes(4, "little")

    with peak_below(MIB), refused(DocumentError, "gzip_overfull"):
        unpack_gzip(packed, most_bytes=MIB, where="x.gz")


def test_members_come_back_in_the_order_they_are_asked_for() -> None:
    archive = ZipMembers(zip_of({"a": b"1", "b": TEXT}), most_bytes=MIB, where="x.zip")

    assert archive.names == ["a", "b"]
    assert list(archive.read(["b", "a"])) == [("b", TEXT), ("a", b"1")]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA], ids=["bzip2", "lzma"])
def test_a_member_that_its_library_unpacks_without_bounds_is_refused(method: int) -> None:
    file = io.BytesIO()
    np.save(file, np.zeros(32 * MIB, np.uint8))
    bomb = zip_of({"a.npy": file.getvalue()}, method)
    assert len(bomb) < MIB

    with peak_below(MIB), refused(DocumentError, "zip_method_refused", name="a.npy", method=method):
        parse_npz(declaring(bomb, 1000), ["a"], "x.npz")


def test_a_deflated_member_that_declares_little_is_unpacked_no_further() -> None:
    bomb = declaring(zip_of({"a.npy": bytes(64 * MIB)}), 1000)

    with peak_below(MIB), refused(DocumentError, "zip_invalid"):
        parse_npz(bomb, ["a"], "x.npz")


def test_members_that_declare_too_much_together_are_never_unpacked() -> None:
    archive = ZipMembers(zip_of({"a": bytes(MIB), "b": bytes(MIB)}), most_bytes=2 * MIB - 1, where="x.zip")

    with peak_below(MIB), refused(DocumentError, "zip_too_large", declared=2 * MIB, most_bytes=2 * MIB - 1):
        list(archive.read(["a", "b"]))
    assert len(next(archive.read(["a"]))[1]) == MIB


def test_an_archive_of_very_many_members_is_refused_before_its_directory_is_read() -> None:
    entry = b"PK\x01\x02" + bytes(42)

    with peak_below(MIB), refused(DocumentError, "zip_too_many_members", most=MAX_MEMBERS):
        ZipMembers(entry * (MAX_MEMBERS + 1), most_bytes=MIB, where="x.zip")


def test_a_missing_or_encrypted_member_is_refused() -> None:
    data = bytearray(zip_of({"a": TEXT}))
    data[6] |= 1
    data[data.rindex(b"PK\x01\x02") + 8] |= 1

    with refused(DocumentError, "zip_method_refused", name="a"):
        list(ZipMembers(bytes(data), most_bytes=MIB, where="x.zip").read(["a"]))
    with refused(DocumentError, "zip_member_missing", name="b"):
        list(ZipMembers(bytes(data), most_bytes=MIB, where="x.zip").read(["b"]))
    with refused(DocumentError, "zip_invalid"):
        ZipMembers(b"no archive", most_bytes=MIB, where="x.zip")
