"""Rows of a configuration table, from the JSON schema of its model and the values it has by default."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from reference.markdown import code, value

COLUMNS = ("Key", "Type", "Default", "Range", "Meaning")
_ABSENT = object()
_ENTRY = re.compile(r" {4}(?P<name>\w+): (?P<meaning>.*)")
_BOUNDS = (
    ("minimum", "≥ {}"),
    ("exclusiveMinimum", "> {}"),
    ("maximum", "≤ {}"),
    ("exclusiveMaximum", "< {}"),
    ("minLength", "{} or more characters"),
    ("maxLength", "at most {} characters"),
    ("minItems", "{} or more"),
    ("maxItems", "at most {}"),
)

Schema = Mapping[str, Any]
Row = tuple[str, ...]


def rows_of(model: type[BaseModel], defaults: object) -> Iterator[Row]:
    """Return one row per key, those inside of sections by their dotted names.

    Args:
        model: What is described.
        defaults: The values it has where nothing is given, as JSON; keys that are absent have those of the schema.
    """
    schema = model.model_json_schema()
    yield from _Walk(schema.get("$defs", {})).section("", schema, defaults, ())


class _Walk:
    def __init__(self, definitions: Schema) -> None:
        self._definitions = definitions

    def section(self, prefix: str, schema: Schema, defaults: object, above: tuple[str, ...]) -> Iterator[Row]:
        required = schema.get("required", ())
        meanings = attributes(schema.get("description", ""))
        for name, item in schema["properties"].items():
            item = {"description": meanings.get(name, ""), **item}
            default = defaults.get(name, _ABSENT) if isinstance(defaults, Mapping) else _ABSENT
            if default is _ABSENT:
                default = item.get("default", _ABSENT)
            yield from self._key(f"{prefix}{name}", item, default, name in required, above)

    def _key(self, key: str, item: Schema, default: object, is_required: bool, above: tuple[str, ...]) -> Iterator[Row]:
        inner = [*self._sections(item, "")]
        is_section = isinstance(default, Mapping) and any(suffix == "" for suffix, _, _ in inner)
        kind = "section" if is_section else self._kind(item)
        shown = "" if is_section else _default(default, is_required)
        # A description that is also that of the type it refers to stands there alone.
        of_type = inner[0][2] if inner else self._resolved(item)
        meaning = item["description"] or _first_paragraph(of_type.get("description", ""))
        yield code(key), kind, shown, self._range(item), meaning
        for suffix, name, section in inner:
            if name not in above:
                known = default if suffix == "" else None
                yield from self.section(f"{key}{suffix}.", section, known, (*above, name))

    def _sections(self, item: Schema, suffix: str) -> Iterator[tuple[str, str, Schema]]:
        """Sections a value may hold: by itself, under names of the user's, or one after another."""
        if "$ref" in item:
            name = item["$ref"].rpartition("/")[2]
            target = self._definitions[name]
            if "properties" in target:
                yield suffix, name, target
            else:
                yield from self._sections({key: part for key, part in target.items() if key != "$ref"}, suffix)
        for option in (*item.get("anyOf", ()), *item.get("oneOf", ()), *item.get("allOf", ())):
            yield from self._sections(option, suffix)
        extra = item.get("additionalProperties")
        if isinstance(extra, Mapping):
            yield from self._sections(extra, f"{suffix}.NAME")
        if isinstance(item.get("items"), Mapping):
            yield from self._sections(item["items"], f"{suffix}[]")

    def _resolved(self, item: Schema) -> Schema:
        if "$ref" not in item:
            return item
        target: Schema = self._definitions[item["$ref"].rpartition("/")[2]]
        return target

    def _kind(self, item: Schema) -> str:
        target = self._resolved(item)
        if "enum" in target or "const" in target:
            return ", ".join(value(choice) for choice in target.get("enum", [target.get("const")]))
        options = (*target.get("anyOf", ()), *target.get("oneOf", ()))
        if options:
            kinds = [self._kind(option) for option in options]
            return " or ".join(dict.fromkeys(kinds))
        kind = target.get("type", "any")
        if kind == "array":
            return self._array(target)
        if kind == "object":
            extra = target.get("additionalProperties")
            return f"mapping of {self._kind(extra)}" if isinstance(extra, Mapping) and extra else "mapping"
        return str(kind)

    def _array(self, target: Schema) -> str:
        if "prefixItems" in target:
            return f"[{', '.join(self._kind(part) for part in target['prefixItems'])}]"
        items = target.get("items")
        return f"list of {self._kind(items)}" if isinstance(items, Mapping) and items else "list"

    def _range(self, item: Schema) -> str:
        parts = [self._resolved(item), *(self._resolved(option) for option in item.get("anyOf", ()))]
        return ", ".join(
            dict.fromkeys(
                text.format(_number(part[bound])) for part in parts for bound, text in _BOUNDS if bound in part
            )
        )


def attributes(docstring: str) -> dict[str, str]:
    """Return what a docstring says about the attributes of its class, by name."""
    _, _, listed = docstring.partition("Attributes:\n")
    told: dict[str, str] = {}
    name = ""
    for line in listed.splitlines():
        if (entry := _ENTRY.fullmatch(line)) is not None:
            name = entry["name"]
            told[name] = entry["meaning"]
        elif name and line.strip():
            told[name] += f" {line.strip()}"
    return told


def _first_paragraph(docstring: str) -> str:
    return " ".join(docstring.partition("\n\n")[0].split())


def _default(default: object, is_required: bool) -> str:
    if default is _ABSENT:
        return "required" if is_required else ""
    return "none" if default is None else value(default)


def _number(given: float) -> str:
    return f"{given:,}" if isinstance(given, int) else f"{given:g}"
