"""Opens files that other programs may have written: ordinary ones, inside of their folder, of limited size."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Final

from diorama.contracts.errors import DocumentError, UnknownName

# A pipe that is opened without O_NONBLOCK waits for its other end, for ever if there is none.
_READ: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


def open_artifact(path: Path, *, within: Path | None = None, most_bytes: int) -> BufferedReader:
    """Open an ordinary file of a folder for reading; no link below the folder is followed.

    Args:
        path: Of the file, beginning with `within`.
        within: The folder, which may be reached through links itself; the file's own one unless given.
        most_bytes: Size above which the file is refused.

    Raises:
        UnknownName: There is no such file.
        DocumentError: It lies elsewhere, is a link, a pipe or a device, is larger, or cannot be read.
    """
    with _folder_of(path, within) as folder:
        try:
            descriptor = os.open(path.name, _READ | os.O_NOFOLLOW, dir_fd=folder)
        except OSError as error:
            raise _refusal(path, folder, path.name, error) from None
    return _checked(path, descriptor, most_bytes)


def open_named(path: Path, *, most_bytes: int) -> BufferedReader:
    """Open an ordinary file that the user has named, wherever links lead.

    Raises:
        UnknownName: There is no such file.
        DocumentError: It is no file, larger than `most_bytes`, or cannot be read.
    """
    try:
        return _checked(path, os.open(path, _READ), most_bytes)
    except FileNotFoundError:
        raise _missing(path) from None
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None


def read_artifact(path: Path, *, within: Path | None = None, most_bytes: int) -> bytes:
    """Read a file as `open_artifact` opens it."""
    with open_artifact(path, within=within, most_bytes=most_bytes) as file:
        return _read(file, path, most_bytes)


def read_named(path: Path, *, most_bytes: int) -> bytes:
    """Read a file as `open_named` opens it."""
    with open_named(path, most_bytes=most_bytes) as file:
        return _read(file, path, most_bytes)


def artifact_status(path: Path, *, within: Path | None = None) -> os.stat_result:
    """Return size, times and node of a file that `open_artifact` would open.

    Raises:
        UnknownName: There is no such file.
        DocumentError: It lies elsewhere, is a link, a pipe or a device.
    """
    with _folder_of(path, within) as folder:
        try:
            status = os.stat(path.name, dir_fd=folder, follow_symlinks=False)
        except OSError as error:
            raise _refusal(path, folder, path.name, error) from None
    if stat.S_ISLNK(status.st_mode):
        raise _link(path, path.name)
    if not stat.S_ISREG(status.st_mode):
        raise _not_a_file(path)
    return status


def named_file(path: Path) -> Path:
    """Return the path that the user has named, or what it leads to where it is a link."""
    return path.resolve() if path.is_symlink() else path


@contextmanager
def _folder_of(path: Path, within: Path | None) -> Iterator[int]:
    """Open the folder that holds a file, one name after another, and close it again."""
    top = path.parent if within is None else within
    try:
        names = path.relative_to(top).parts
    except ValueError:
        names = ()
    if not names or ".." in names or "\0" in str(path):
        raise DocumentError(
            f"{str(path)!r} lies outside of {str(top)!r}; only files inside of it are read",
            code="artifact_outside",
            path=path,
            folder=top,
        )
    folder = _opened_top(path, top)
    try:
        for name in names[:-1]:
            try:
                inner = os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=folder)
            except OSError as error:
                raise _refusal(path, folder, name, error) from None
            os.close(folder)
            folder = inner
        yield folder
    finally:
        os.close(folder)


def _opened_top(path: Path, top: Path) -> int:
    try:
        return os.open(top, _FOLDER)
    except (FileNotFoundError, NotADirectoryError):
        raise _missing(path) from None
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None


def _refusal(path: Path, folder: int, name: str, error: OSError) -> UnknownName | DocumentError:
    """Return why a name of a folder cannot be opened; the system's own reason is not the same everywhere."""
    try:
        is_link = stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
    except OSError:
        is_link = False
    if is_link:
        return _link(path, name)
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return _missing(path)
    return _unreadable(path, error)


def _checked(path: Path, descriptor: int, most_bytes: int) -> BufferedReader:
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise _not_a_file(path)
        if status.st_size > most_bytes:
            raise _too_large(path, most_bytes)
    except BaseException:
        os.close(descriptor)
        raise
    return os.fdopen(descriptor, "rb")


def _read(file: BufferedReader, path: Path, most_bytes: int) -> bytes:
    try:
        data = file.read(most_bytes + 1)
    except OSError as error:
        raise _unreadable(path, error) from None
    if len(data) > most_bytes:  # it has grown since it was opened
        raise _too_large(path, most_bytes)
    return data


def _missing(path: Path) -> UnknownName:
    return UnknownName(f"{path} does not exist", code="artifact_missing", path=path)


def _link(path: Path, name: str) -> DocumentError:
    return DocumentError(
        f"{path}: {name!r} is a link; what is read here must lie in its folder itself",
        code="artifact_is_link",
        path=path,
        name=name,
    )


def _not_a_file(path: Path) -> DocumentError:
    return DocumentError(f"{path} is no file", code="artifact_not_a_file", path=path)


def _too_large(path: Path, most_bytes: int) -> DocumentError:
    return DocumentError(
        f"{path}: holds more than {most_bytes} bytes, the most that is read",
        code="artifact_too_large",
        path=path,
        most_bytes=most_bytes,
    )


def _unreadable(path: Path, error: OSError | ValueError) -> DocumentError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return DocumentError(f"{path}: cannot be read ({reason})", code="artifact_unreadable", path=path, reason=reason)
