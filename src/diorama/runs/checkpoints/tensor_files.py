"""Safetensors files with one JSON object beside the tensors: nothing in them is ever executed."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Generic, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from diorama.contracts.errors import DocumentError, MissingExtra
from diorama.runs.checkpoints.headers import Shape
from diorama.runs.documents import Document
from diorama.storage.artifact_files import open_artifact
from diorama.storage.atomic_files import replace_file
from diorama.storage.json_text import MAX_VALUES, decode_json

if TYPE_CHECKING:
    from torch import Tensor

MAX_FILE_BYTES: Final = 16 << 30
MAX_HEADER_BYTES: Final = 100_000_000  # as the library has it
MAX_TENSORS: Final = 1 << 16
_DOCUMENT_KEY: Final = "diorama"
_METADATA_KEY: Final = "__metadata__"
_LENGTH_BYTES: Final = 8
_ENTRY_MARK: Final = b'"data_offsets"'

T = TypeVar("T", bound=Document)


class _Entry(msgspec.Struct):
    dtype: str
    shape: tuple[Annotated[int, msgspec.Meta(ge=0, lt=1 << 48)], ...]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class TensorFile(Generic[T]):
    """An open file, of which the document and the shapes are known and no tensor has been read.

    Attributes:
        path: As it was named.
        document: What stands beside the tensors.
        shapes: Of every tensor, by name.
    """

    path: Path
    document: T
    shapes: Mapping[str, Shape]
    _file: BufferedReader

    def tensors(self) -> "dict[str, Tensor]":
        """Read all tensors for torch; they are valid while the file is open.

        Raises:
            DocumentError: The file is cut short, or its tensors are not where it says.
            MissingExtra: torch is not installed.
        """
        _need("torch")
        with self._opened("pt") as file:
            return {name: file.get_tensor(name) for name in self.shapes}

    def arrays(self, names: Sequence[str]) -> list[NDArray[np.generic]]:
        """Read some of the tensors as arrays; needs no torch.

        Raises:
            DocumentError: One is not there, or of a kind that NumPy does not have; or the file is cut short.
        """
        with self._opened("np") as file:
            try:
                return [file.get_tensor(name) for name in names]
            except TypeError as error:
                raise DocumentError(f"{self.path}: holds numbers that NumPy does not have ({error})") from None

    def sha256(self) -> str:
        """Return the SHA-256 of the file's bytes."""
        self._file.seek(0)
        return hashlib.file_digest(self._file, "sha256").hexdigest()

    @contextmanager
    def _opened(self, framework: str) -> Iterator[Any]:
        from safetensors import SafetensorError, safe_open

        try:
            # The very file that was checked, whatever has taken its name since.
            with safe_open(f"/dev/fd/{self._file.fileno()}", framework=framework) as file:
                yield file
        except SafetensorError as error:
            raise _no_tensors(self.path, str(error)) from None


@contextmanager
def open_tensors(
    path: Path, kind: type[T], *, within: Path | None = None, most_values: int = MAX_VALUES
) -> Iterator[TensorFile[T]]:
    """Open a file and read its document and the shapes of its tensors.

    Args:
        path: Of the file.
        kind: What the document must be.
        within: The folder that the file must lie in, without links on the way; its own one unless given.
        most_values: Of the document, above which it is refused.

    Raises:
        UnknownName: There is no such file.
        DocumentError: It is no ordinary file of the folder, too large, cut short, no file of tensors, or its document
            is of another form.
        MissingExtra: safetensors is not installed.
    """
    _need("safetensors")
    with open_artifact(path, within=within, most_bytes=MAX_FILE_BYTES) as file:
        header = _header(path, file)
        metadata = header.pop(_METADATA_KEY, None)
        told = {} if metadata is None else decode_json(bytes(metadata), dict[str, str], where=str(path))
        if _DOCUMENT_KEY not in told:
            raise DocumentError(f"{path}: holds tensors and says nothing about them; it was not written by diorama")
        yield TensorFile(
            path=path,
            document=decode_json(told[_DOCUMENT_KEY].encode(), kind, where=str(path), most_values=most_values),
            shapes={name: decode_json(bytes(raw), _Entry, where=str(path)).shape for name, raw in header.items()},
            _file=file,
        )


def read_header(path: Path, kind: type[T], *, within: Path | None = None) -> T:
    """Read the document of a file and none of its tensors; see `open_tensors`."""
    with open_tensors(path, kind, within=within) as file:
        return file.document


def file_sha256(path: Path, *, within: Path | None = None) -> str:
    """Return the SHA-256 of a file's bytes.

    Raises:
        UnknownName: There is no such file.
        DocumentError: It is no ordinary file of the folder, or too large.
    """
    with open_artifact(path, within=within, most_bytes=MAX_FILE_BYTES) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _header(path: Path, file: BufferedReader) -> dict[str, msgspec.Raw]:
    """Return the entries of a file's header by name, before anything is done with them."""
    length = int.from_bytes(file.read(_LENGTH_BYTES), "little")
    if length > MAX_HEADER_BYTES:
        raise _no_tensors(path, f"its header declares {length} bytes; at most {MAX_HEADER_BYTES} are read")
    text = file.read(length)
    if length == 0 or len(text) < length:
        raise _no_tensors(path, "it is cut short")
    if text.count(_ENTRY_MARK) > MAX_TENSORS:
        raise _no_tensors(path, f"it has more than {MAX_TENSORS} tensors, the most that are read")
    return decode_json(text, dict[str, msgspec.Raw], where=str(path), most_values=len(text) + 1)


def _no_tensors(path: Path, reason: str) -> DocumentError:
    return DocumentError(
        f"{path}: is no whole file of tensors ({reason})", code="tensor_file_invalid", path=path, reason=reason
    )


def _need(*packages: str) -> None:
    if any(find_spec(package) is None for package in packages):
        raise MissingExtra.of("learn", needed_for="a checkpoint")


def _replace(path: Path, data: bytes) -> str:
    replace_file(path, data)
    return hashlib.sha256(data).hexdigest()


def _metadata(document: Document) -> dict[str, str]:
    # The standard library refuses numbers that are not finite; they would come back as null.
    return {_DOCUMENT_KEY: json.dumps(msgspec.to_builtins(document), allow_nan=False)}
