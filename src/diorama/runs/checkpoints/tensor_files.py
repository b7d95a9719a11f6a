"""Safetensors files with one JSON object beside the tensors: nothing in them is ever executed."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from diorama.contracts.errors import DocumentError, MissingExtra, UnknownName
from diorama.runs.documents import Document, decode
from diorama.storage.atomic_files import replace_file

if TYPE_CHECKING:
    from torch import Tensor

MAX_FILE_BYTES: Final = 16 << 30
_DOCUMENT_KEY: Final = "diorama"

T = TypeVar("T", bound=Document)


def write_tensors(path: Path, document: Document, tensors: "Mapping[str, Tensor]") -> str:
    """Replace a file of torch tensors and return the SHA-256 of its bytes.

    Raises:
        StorageError: The disk refuses; the previous file is untouched.
        MissingExtra: torch or safetensors is not installed.
        ValueError: The document holds a number that is not finite.
    """
    _need("torch", "safetensors")
    from safetensors.torch import save

    plain = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    return _replace(path, save(plain, metadata=_metadata(document)))


def write_arrays(path: Path, document: Document, arrays: Mapping[str, NDArray[np.generic]]) -> str:
    """Like `write_tensors`, for arrays; needs no torch."""
    _need("safetensors")
    from safetensors.numpy import save

    return _replace(path, save(dict(arrays), metadata=_metadata(document)))


def read_tensors(path: Path, kind: type[T]) -> "tuple[T, dict[str, Tensor]]":
    """Read a file of torch tensors and its document.

    Raises:
        UnknownName: There is no such file.
        DocumentError: It is cut short, no such file, or its document is of another form.
        MissingExtra: torch or safetensors is not installed.
    """
    _need("torch")
    with _opened(path, "pt") as file:
        names: list[str] = file.keys()
        return _document(path, file, kind), {name: file.get_tensor(name) for name in names}


def read_arrays(path: Path, kind: type[T], names: Sequence[str]) -> tuple[T, list[NDArray[np.generic]]]:
    """Like `read_tensors`, for some of the tensors as arrays; needs no torch."""
    with _opened(path, "np") as file:
        document = _document(path, file, kind)
        try:
            return document, [file.get_tensor(name) for name in names]
        except TypeError as error:
            raise DocumentError(f"{path}: holds numbers that NumPy does not have ({error})") from None


def read_header(path: Path, kind: type[T]) -> T:
    """Read the document of a file and none of its tensors."""
    with _opened(path, "np") as file:
        return _document(path, file, kind)


def file_sha256(path: Path) -> str:
    """Return the SHA-256 of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _need(*packages: str) -> None:
    if any(find_spec(package) is None for package in packages):
        raise MissingExtra.of("learn", needed_for="a checkpoint")


def _replace(path: Path, data: bytes) -> str:
    replace_file(path, data)
    return hashlib.sha256(data).hexdigest()


def _metadata(document: Document) -> dict[str, str]:
    # The standard library refuses numbers that are not finite; they would come back as null.
    return {_DOCUMENT_KEY: json.dumps(msgspec.to_builtins(document), allow_nan=False)}


@contextmanager
def _opened(path: Path, framework: str) -> Iterator[Any]:
    _need("safetensors")
    from safetensors import SafetensorError, safe_open

    try:
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:
            raise DocumentError(f"{path}: has {size} bytes, more than the {MAX_FILE_BYTES} that are read")
        with safe_open(path, framework=framework) as file:
            yield file
    except FileNotFoundError:
        raise UnknownName(f"{path} does not exist") from None
    except SafetensorError as error:
        raise DocumentError(f"{path}: is no whole file of tensors ({error})") from None


def _document(path: Path, file: Any, kind: type[T]) -> T:
    metadata: dict[str, str] = file.metadata() or {}
    if _DOCUMENT_KEY not in metadata:
        raise DocumentError(f"{path}: holds tensors and says nothing about them; it was not written by diorama")
    return decode(metadata[_DOCUMENT_KEY].encode(), kind, where=str(path))
