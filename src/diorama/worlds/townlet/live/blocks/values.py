"""How values are told: without what is nothing, and as the difference to what was told before."""

from diorama.contracts.values import JsonObject, JsonValue


def told(**entries: JsonValue) -> dict[str, JsonValue]:
    """A mapping of what there is: null deletes in a merge patch, so what is nothing is left out everywhere."""
    return {name: value for name, value in entries.items() if value is not None}


def without_nothing(block: JsonObject) -> dict[str, JsonValue]:
    """A mapping without what is nothing, mappings in it included."""
    return {
        name: without_nothing(value) if isinstance(value, dict) else value
        for name, value in block.items()
        if value is not None
    }


def difference(before: JsonObject, after: JsonObject) -> dict[str, JsonValue]:
    """The merge patch from one dictionary to another; empty where both are equal."""
    patch: dict[str, JsonValue] = {name: None for name in before if name not in after}
    for name, value in after.items():
        known = before.get(name)
        if known is value or known == value:
            continue
        if isinstance(known, dict) and isinstance(value, dict):
            patch[name] = difference(known, value)
        else:
            patch[name] = value
    return patch
