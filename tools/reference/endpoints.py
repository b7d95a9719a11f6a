"""Every path of the two servers, from their OpenAPI documents."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from diorama.server.live.openapi import live_openapi_text
from diorama.server.openapi import openapi_text
from reference.markdown import code, page, table, value
from reference.schemas import attributes

_METHODS = ("get", "post", "put", "patch", "delete")
Schema = Mapping[str, Any]


def endpoints_page() -> str:
    """Return the page of all HTTP paths."""
    return page(
        "HTTP paths",
        "What [the server's interface](http.md) and [play sessions](play.md) explain, as a list. Bodies and answers "
        "are JSON unless a type stands there. WebSockets are told on those pages.",
        (
            _server("diorama serve", json.loads(openapi_text())),
            _server("diorama live", json.loads(live_openapi_text())),
        ),
    )


def _server(command: str, document: Schema) -> str:
    paths = document["paths"]
    calls = [(path, method) for path in paths for method in _METHODS if method in paths[path]]
    return "\n\n".join((f"## `{command}`", *(_call(document, path, method) for path, method in calls)))


def _call(document: Schema, path: str, method: str) -> str:
    call = document["paths"][path][method]
    told = call.get("description") or call.get("summary", "")
    parts = [
        f"### `{method.upper()} {path}`",
        " ".join(told.split()),
        table(("Parameter", "In", "Type", "Default", "Meaning"), _parameters(document, call)),
        table(("Body", "Type", "Default", "Meaning"), _body(document, call)),
        f"Answers {_answer(document, call)}.",
    ]
    return "\n\n".join(part for part in parts if part)


def _parameters(document: Schema, call: Schema) -> Iterator[tuple[str, ...]]:
    for item in call.get("parameters", ()):
        schema = item.get("schema", {})
        default = "required" if item.get("required") else _default(schema)
        yield code(item["name"]), item["in"], _kind(document, schema), default, item.get("description", "")


def _body(document: Schema, call: Schema) -> Iterator[tuple[str, ...]]:
    content = call.get("requestBody", {}).get("content", {})
    schema = _resolved(document, content.get("application/json", {}).get("schema", {}))
    required = schema.get("required", ())
    meanings = attributes(schema.get("description", ""))
    for name, item in schema.get("properties", {}).items():
        default = "required" if name in required else _default(item)
        yield code(name), _kind(document, item), default, item.get("description") or meanings.get(name, "")


def _answer(document: Schema, call: Schema) -> str:
    good = next(answer for status, answer in call["responses"].items() if status.startswith("2"))
    refused = sorted(status for status in call["responses"] if status.startswith(("4", "5")))
    told = _content(document, good)
    return f"{told}; on a mistake {', '.join(refused)}" if refused else told


def _content(document: Schema, good: Schema) -> str:
    content = good.get("content", {})
    if not content:
        return "nothing"
    schema = content.get("application/json", {}).get("schema")
    if schema is None:
        return ", ".join(code(kind) for kind in content)
    fields = _resolved(document, schema).get("properties", {})
    return ", ".join(code(name) for name in fields) if fields else "JSON"


def _default(schema: Schema) -> str:
    return "" if schema.get("default") is None else value(schema["default"])


def _kind(document: Schema, schema: Schema) -> str:
    target = _resolved(document, schema)
    if "enum" in target:
        return ", ".join(value(choice) for choice in target["enum"])
    if "const" in target:
        return value(target["const"])
    options = target.get("anyOf", ())
    if options:
        return " or ".join(dict.fromkeys(_kind(document, option) for option in options))
    kind = str(target.get("type", "any"))
    if kind == "array" and target.get("items"):
        return f"list of {_kind(document, target['items'])}"
    low, high = target.get("minimum"), target.get("maximum")
    if low is None and high is None:
        return kind
    return f"{kind}, {_bound(low)}..{_bound(high)}"


def _bound(number: float | None) -> str:
    """Show a bound; those of whole numbers are not always whole in the document."""
    return "" if number is None else str(int(number)) if float(number).is_integer() else str(number)


def _resolved(document: Schema, schema: Schema) -> Schema:
    if "$ref" not in schema:
        return schema
    target: Schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return target
