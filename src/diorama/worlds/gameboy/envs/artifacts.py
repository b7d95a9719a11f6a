"""Files of artifacts, which are of bounded size."""

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from diorama.contracts.errors import DocumentError
from diorama.contracts.validation import first_problem

ModelT = TypeVar("ModelT", bound=BaseModel)


def read_artifact(path: Path, *, most_bytes: int) -> bytes:
    """Read a file.

    Raises:
        DocumentError: It cannot be read, or is larger than any artifact of its kind.
    """
    try:
        with path.open("rb") as opened:
            data = opened.read(most_bytes + 1)
    except OSError as error:
        raise DocumentError(f"{path}: cannot be read ({error.strerror or error})") from None
    if len(data) > most_bytes:
        raise DocumentError(f"{path}: has more than {most_bytes} bytes; artifacts of its kind are smaller")
    return data


def read_meta(path: Path, model: type[ModelT], *, most_bytes: int) -> ModelT:
    """Read what stands beside an artifact.

    Raises:
        DocumentError: It cannot be read, or a value in it is wrong.
    """
    try:
        return model.model_validate_json(read_artifact(path, most_bytes=most_bytes))
    except ValidationError as error:
        raise DocumentError(f"{path}: {first_problem(error)}") from None
