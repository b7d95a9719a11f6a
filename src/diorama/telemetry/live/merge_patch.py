"""JSON merge patches (RFC 7396) between states that share what they have in common.

A state is a dictionary of dictionaries without null members: a merge patch can delete a member and cannot set one to
null. States are never changed in place, so that old and new ones share every branch that is the same in both.
"""

from typing import TypeAlias

from diorama.contracts.values import JsonObject, JsonValue

JsonDict: TypeAlias = dict[str, JsonValue]


def apply_patch(target: JsonValue, patch: JsonValue) -> JsonValue:
    """Return the target after a merge patch, both made of dictionaries; the target is left alone."""
    if not isinstance(patch, dict):
        return patch
    merged = target.copy() if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        elif isinstance(value, dict):
            merged[name] = apply_patch(merged.get(name), value)
        else:
            merged[name] = value
    return merged


def difference(old: JsonObject, new: JsonObject) -> JsonDict:
    """Return the smallest merge patch that leads from one state to another.

    Patches that follow one another are folded by comparing the two ends: composing the patches themselves would lose
    members of whatever was deleted and came back in between.
    """
    patch: JsonDict = {name: None for name in old if name not in new}
    for name, value in new.items():
        before = old.get(name)
        if before is value:
            continue
        if isinstance(value, dict) and isinstance(before, dict):
            if inner := difference(before, value):
                patch[name] = inner
        elif not is_same(before, value):
            patch[name] = value
    return patch


def is_same(one: JsonValue, other: JsonValue) -> bool:
    """Whether two values are written alike; unlike `==` this tells 1 from 1.0 and from true."""
    if type(one) is not type(other):
        return False
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_same(value, other[name]) for name, value in one.items())
    return one == other
