"""The base of every configuration section, and how a field says whether it may change while its world runs."""

from typing import Any, ClassVar, Final

from pydantic import ConfigDict, Field
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from diorama.contracts.zeros import UnsignedZeros

_RELOAD: Final = "reload"
_HOT: Final = "hot"
_RESTART: Final = "restart"


class Section(UnsignedZeros):
    """A part of the configuration: frozen, strict about types, and strict about unknown keys."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


def hot(default: Any = PydanticUndefined, **rules: Any) -> Any:
    """Declare a field that a reload may change in a running world; without a default it is required."""
    return Field(default, json_schema_extra={_RELOAD: _HOT}, **rules)


def fixed(default: Any = PydanticUndefined, **rules: Any) -> Any:
    """Declare a field that needs a restart, and that belongs to the identity of the configuration."""
    return Field(default, json_schema_extra={_RELOAD: _RESTART}, **rules)


def is_fixed(field: FieldInfo) -> bool:
    """Whether a field needs a restart; fields that hold sections say nothing of themselves."""
    extra = field.json_schema_extra
    return isinstance(extra, dict) and extra.get(_RELOAD) == _RESTART
