"""Files of artifacts, which are of bounded size."""

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from diorama.contracts.errors import DocumentError, UnknownName
from diorama.contracts.validation import first_problem
from diorama.storage.artifact_files import read_named

ModelT = TypeVar("ModelT", bound=BaseModel)


def read_artifact(path: Path, *, most_bytes: int) -> bytes:
    """Read a file.

    Raises:
        DocumentError: It cannot be read, or is larger than any artifact of its kind.
    """
    try:
        return read_named(path, most_bytes=most_bytes)
    except UnknownName as error:
        raise DocumentError(str(error), code="artifact_missing", path=path) from None


def read_meta(path: Path, model: type[ModelT], *, most_bytes: int) -> ModelT:
    """Read what stands beside an artifact.

    Raises:
        DocumentError: It cannot be read, or a value in it is wrong.
    """
    try:
        return model.model_validate_json(read_artifact(path, most_bytes=most_bytes))
    except ValidationError as error:
        raise DocumentError(f"{path}: {first_problem(error)}") from None
