"""Reading the affordance manifest: a list of affordances and further objects, and which types and items it names."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from diorama.contracts.validation import problem_place, problem_words
from diorama.worlds.townlet.data.reading import parse_yaml
from diorama.worlds.townlet.tables.documents import AffordanceEntry, ObjectEntry
from diorama.worlds.townlet.tables.expressions.code import MAX_ITEMS
from diorama.worlds.townlet.tables.problems import Problems
from diorama.worlds.townlet.tables.sources import Source

MAX_AFFORDANCES: Final = 32
MAX_TYPES: Final = 16
MAX_PER_TYPE: Final = 4
CORE_ITEMS: Final = ("meals", "groceries", "food_raw")  # the first three item numbers in every town
_OWNERS: Final = ("stock", "inventory", "linked")


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The entries of a manifest, each kind in its order."""

    affordances: tuple[AffordanceEntry, ...]
    objects: tuple[ObjectEntry, ...]


def read_manifest(source: Source, problems: Problems) -> Manifest:
    """Read a manifest; entries that are wrong are noted and left out.

    Raises:
        ConfigError: It is no list.
    """
    document = parse_yaml(source.data, source.name)
    if not isinstance(document, list):
        problems.add("document", f"is a {type(document).__name__}; it must be a list of affordances and objects")
        problems.raise_if_any()
    affordances: list[AffordanceEntry] = []
    objects: list[ObjectEntry] = []
    for number, entry in enumerate(document):
        parsed = _parse(number, entry, problems)
        if isinstance(parsed, AffordanceEntry):
            affordances.append(parsed)
        elif parsed is not None:
            objects.append(parsed)
    ids = [affordance.id for affordance in affordances] + [further.id for further in objects]
    for repeated in sorted({name for name in ids if ids.count(name) > 1}):
        problems.add(repeated, "the id stands twice")
    return Manifest(affordances=tuple(affordances), objects=tuple(objects))


def item_names(manifest: Manifest, objects: Sequence[ObjectEntry], problems: Problems) -> tuple[str, ...]:
    """Names of all items of a town: the core ones, then any others by name."""
    named: set[str] = set()
    for entry in objects:
        named |= set(entry.stock) | set(entry.caps)
    for affordance in manifest.affordances:
        for key in (*affordance.costs, *affordance.yields):
            owner, _, item = key.partition(".")
            if owner in _OWNERS and item:
                named.add(item)
    items = (*CORE_ITEMS, *sorted(named - set(CORE_ITEMS)))
    if len(items) > MAX_ITEMS:
        problems.add("items", f"{len(items)} different items ({', '.join(items)}); at most {MAX_ITEMS} are possible")
    return items


def type_names(manifest: Manifest, objects: Sequence[ObjectEntry], problems: Problems) -> tuple[str, ...]:
    """Names of all object types, in the order of the manifest, then of objects nobody can use."""
    types = tuple(
        dict.fromkeys([entry.object_type for entry in manifest.affordances] + [entry.object_type for entry in objects])
    )
    if len(types) > MAX_TYPES:
        problems.add("object_type", f"{len(types)} object types; at most {MAX_TYPES} are possible")
    if len(manifest.affordances) > MAX_AFFORDANCES:
        problems.add("document", f"{len(manifest.affordances)} affordances; at most {MAX_AFFORDANCES} are possible")
    for name in types:
        count = sum(entry.object_type == name for entry in manifest.affordances)
        if count > MAX_PER_TYPE:
            problems.add("object_type", f"{name!r} has {count} affordances; at most {MAX_PER_TYPE} can be addressed")
    return types


def _parse(number: int, entry: Any, problems: Problems) -> AffordanceEntry | ObjectEntry | None:
    name = str(entry["id"]) if isinstance(entry, dict) and isinstance(entry.get("id"), str) else f"entry {number}"
    if not isinstance(entry, dict):
        problems.add(name, f"is a {type(entry).__name__}; it must be a mapping")
        return None
    kind = entry.get("type", "affordance")
    if kind not in ("affordance", "object"):
        problems.add(f"{name}.type", f"{kind!r} is unknown; use affordance or object")
        return None
    try:
        return (ObjectEntry if kind == "object" else AffordanceEntry).model_validate(entry)
    except ValidationError as error:
        for item in error.errors(include_url=False):
            place = problem_place(item, inside=name)
            if item["type"] == "extra_forbidden":
                problems.add(place, "there is no such key")
            else:
                problems.add(place, problem_words(item))
        return None
