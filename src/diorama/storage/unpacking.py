"""Unpacks gzip and zip: no byte beyond what an archive declares, and no archive that declares too much."""

import io
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from typing import Final

from isal import isal_zlib

from diorama.contracts.errors import DocumentError

MAX_MEMBERS: Final = 4096  # of a zip archive
_GZIP_WINDOW: Final = 31  # 16 asks zlib for a gzip frame, 15 for the largest window
_GZIP_MAGIC: Final = b"\x1f\x8b"
_GZIP_LEAST: Final = 18  # header and trailer
_ENTRY: Final = b"PK\x01\x02"  # begins each entry of a zip's directory
_IS_ENCRYPTED: Final = 0x1
_METHODS: Final = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_BROKEN_ZIP: Final = (
    zipfile.BadZipFile,
    zlib.error,
    OSError,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OverflowError,
)


def unpack_gzip(packed: bytes, *, most_bytes: int, where: str) -> bytes:
    """Unpack the one gzip member that `packed` consists of.

    Args:
        packed: All its bytes and no others.
        most_bytes: Size above which it is refused before anything is unpacked.
        where: Names it in messages.

    Raises:
        DocumentError: It is no gzip, cut short, larger than it declares or may be, or something follows it.
    """
    if packed[:2] not in (_GZIP_MAGIC, _GZIP_MAGIC[: len(packed)]):
        raise DocumentError(f"{where}: is no gzip", code="gzip_invalid", where=where)
    if len(packed) < _GZIP_LEAST:
        raise _cut_short(where)
    declared = int.from_bytes(packed[-4:], "little")
    if declared > most_bytes:
        raise DocumentError(
            f"{where}: is cut short, or declares {declared} bytes; at most {most_bytes} are unpacked",
            code="gzip_too_large",
            where=where,
            declared=declared,
            most_bytes=most_bytes,
        )
    unpacker = isal_zlib.decompressobj(_GZIP_WINDOW)
    try:
        data: bytes = unpacker.decompress(packed, declared + 1)
    except isal_zlib.error as error:  # type: ignore[misc]  # the stub takes the class for an instance
        raise DocumentError(f"{where}: is no gzip ({error})", code="gzip_invalid", where=where) from None
    if len(data) > declared or unpacker.unused_data:
        raise DocumentError(
            f"{where}: holds more than the {declared} bytes that its end declares", code="gzip_overfull", where=where
        )
    if not unpacker.eof:
        raise _cut_short(where)
    return data


def _cut_short(where: str) -> DocumentError:
    return DocumentError(f"{where}: is cut short", code="gzip_cut_short", where=where)


class ZipMembers:
    """The members of a zip archive, of which each is unpacked when it is asked for."""

    def __init__(self, data: bytes, *, most_bytes: int, where: str) -> None:
        """Read the directory.

        Args:
            data: The whole archive.
            most_bytes: What all members that are asked for may have in all, unpacked.
            where: Names it in messages.

        Raises:
            DocumentError: It is no zip, or has more than `MAX_MEMBERS` members.
        """
        self._where = where
        self._most_bytes = most_bytes
        if data.count(_ENTRY) > MAX_MEMBERS:
            raise DocumentError(
                f"{where}: has more than {MAX_MEMBERS} members, the most that are read",
                code="zip_too_many_members",
                where=where,
                most=MAX_MEMBERS,
            )
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        except _BROKEN_ZIP as error:
            raise self._broken(error) from None

    @property
    def names(self) -> list[str]:
        """Names of the members, in the order of the directory."""
        return self._archive.namelist()

    def read(self, names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Unpack members one after another, after all of them were looked up in the directory.

        Raises:
            DocumentError: One is missing, packed in another way than stored or deflated, or damaged, or they are
                larger than they declare or may be.
        """
        members = [self._checked(name) for name in names]
        declared = sum(member.file_size for member in members)
        if declared > self._most_bytes:
            raise DocumentError(
                f"{self._where}: unpacks to more than {self._most_bytes} bytes, the most that is read",
                code="zip_too_large",
                where=self._where,
                declared=declared,
                most_bytes=self._most_bytes,
            )
        for member in members:
            yield member.filename, self._unpacked(member)

    def _checked(self, name: str) -> zipfile.ZipInfo:
        try:
            member = self._archive.getinfo(name)
        except KeyError:
            raise DocumentError(
                f"{self._where}: there is no item named {name!r} in the archive",
                code="zip_member_missing",
                where=self._where,
                name=name,
            ) from None
        if member.compress_type not in _METHODS or member.flag_bits & _IS_ENCRYPTED:
            raise DocumentError(
                f"{self._where}: {name!r} is packed with method {member.compress_type}"
                f"{' and encrypted' if member.flag_bits & _IS_ENCRYPTED else ''}; "
                "members must be stored or deflated, and not encrypted",
                code="zip_method_refused",
                where=self._where,
                name=name,
                method=member.compress_type,
            )
        return member

    def _unpacked(self, member: zipfile.ZipInfo) -> bytes:
        try:
            with self._archive.open(member) as file:
                # Asked for a number of bytes, the library inflates no more than those; asked for all, it inflates
                # everything that is there, whatever the directory declares. One more makes it check the sum.
                data = file.read(member.file_size) + file.read(1)
        except _BROKEN_ZIP as error:
            raise self._broken(error) from None
        if len(data) != member.file_size:
            raise self._broken(ValueError(f"{member.filename!r} has {len(data)} of {member.file_size} bytes"))
        return data

    def _broken(self, error: Exception) -> DocumentError:
        return DocumentError(
            f"{self._where}: is no whole archive ({error})", code="zip_invalid", where=self._where, reason=str(error)
        )
