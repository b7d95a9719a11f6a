"""Codes written as their upper-case names in YAML and JSON: `layer: Annotated[Layer, ByName]`."""

from enum import IntEnum
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, core_schema


class ByName:
    """Annotation of an enum field whose document form is the member's name; numbers are refused."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        """Read a name or a member, write a name."""
        return core_schema.no_info_plain_validator_function(
            _Reader(source),
            serialization=core_schema.plain_serializer_function_ser_schema(_name_of, return_schema=_NAME),
            metadata={"names": list(source.__members__)},
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, _handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """List the names."""
        metadata = schema.get("metadata")
        return {"type": "string", "enum": metadata["names"] if metadata is not None else []}


_NAME = core_schema.str_schema()


def _name_of(member: IntEnum) -> str:
    return member.name


class _Reader:
    def __init__(self, enum_type: type[IntEnum]) -> None:
        self._enum_type = enum_type

    def __call__(self, value: object) -> IntEnum:
        if isinstance(value, self._enum_type):
            return value
        if not isinstance(value, str):
            raise PydanticCustomError("P003", f"must be the name of a {self._enum_type.__name__} as text")
        member = self._enum_type.__members__.get(value)
        if member is None:
            known = ", ".join(self._enum_type.__members__)
            raise PydanticCustomError("P005", f"is no {self._enum_type.__name__}; use one of {known}")
        return member
