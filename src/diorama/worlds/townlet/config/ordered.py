"""Mappings whose order matters, kept as lists in JSON: stored documents sort the keys of their mappings."""

from collections.abc import Mapping


def mapping_of(given: object) -> object:
    """Turn a list of `{"id": …, …}` into a mapping by id, in its order; anything else is left to the validator."""
    if not isinstance(given, list | tuple):
        return given
    entries: dict[str, object] = {}
    for entry in given:
        if not isinstance(entry, Mapping) or "id" not in entry:
            raise ValueError("every entry of the list needs an id")
        if not isinstance(entry["id"], str):
            raise ValueError(f"the id {str(entry['id'])!r:.80} is no text")
        if entry["id"] in entries:
            raise ValueError(f"the id {entry['id']!r} stands twice")
        entries[entry["id"]] = {key: value for key, value in entry.items() if key != "id"}
    return entries


def list_of(documents: Mapping[str, Mapping[str, object]]) -> list[dict[str, object]]:
    """Turn a mapping into a list of `{"id": …, …}` in its order."""
    return [{"id": name, **document} for name, document in documents.items()]
