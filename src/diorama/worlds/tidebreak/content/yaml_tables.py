"""Tables in YAML, read strictly."""

from importlib.resources.abc import Traversable
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from diorama.contracts.errors import ConfigError
from diorama.contracts.validation import problem_line
from diorama.storage.yaml_text import read_yaml

_ModelT = TypeVar("_ModelT", bound=BaseModel)


def read_table(file: Traversable, model: type[_ModelT]) -> _ModelT:
    """Read a YAML document as a model.

    Raises:
        ConfigError: It cannot be read, or a value in it is wrong; with the file and the place in it.
    """
    try:
        return model.model_validate(read_yaml(file, file.name))
    except ValidationError as error:
        problems = [problem_line(item) for item in error.errors(include_url=False)]
        raise ConfigError(f"{file.name}: {'; '.join(problems)}") from None
