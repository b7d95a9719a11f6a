"""Actions as people write them: `GERMINATE r0c1 blueprint=conv_light tempo=fast`."""

from collections.abc import Iterator, Sequence
from enum import IntEnum
from typing import Final, TypeVar

from diorama.worlds.morphogenesis.contracts.actions import (
    ALPHA_TARGET_VALUES,
    HEAD_NAMES,
    RELEVANT_HEADS,
    AlphaCurveAction,
    AlphaSpeedAction,
    AlphaTargetAction,
    GerminationStyle,
    LifecycleOp,
    TempoAction,
)
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction
from diorama.worlds.morphogenesis.contracts.errors import ConfigError
from diorama.worlds.morphogenesis.controller.choices import OP_COLUMN, WAIT, Action, canonical

KEYS: Final[dict[str, str]] = {
    "blueprint": "blueprint",
    "style": "style",
    "tempo": "tempo",
    "target": "alpha_target",
    "speed": "alpha_speed",
    "curve": "alpha_curve",
}
"""Words of a text and the heads they choose."""
OPTIONS: Final[dict[str, type[IntEnum]]] = {
    "blueprint": BlueprintAction,
    "style": GerminationStyle,
    "tempo": TempoAction,
    "target": AlphaTargetAction,
    "speed": AlphaSpeedAction,
    "curve": AlphaCurveAction,
}
STRENGTHS: Final = {
    text: index for index, value in enumerate(ALPHA_TARGET_VALUES) for text in (str(value), f"{value:g}")
}

_Option = TypeVar("_Option", bound=IntEnum)


def parse_action(words: Sequence[str], slot_ids: Sequence[str]) -> Action:
    """Read an op, its slot and `key=value` choices; case does not matter, and what is left out is the placeholder.

    Raises:
        ConfigError: A word is unknown, missing, given twice or does not belong to the op.
    """
    if not words:
        raise ConfigError(f"an action begins with its op; there are: {_names(LifecycleOp)}")
    op = _option("op", words[0], LifecycleOp)
    if op is LifecycleOp.WAIT:
        if len(words) > 1:
            raise ConfigError(f"WAIT takes nothing, and {' '.join(words[1:])!r} was given")
        return WAIT
    if len(words) == 1:
        raise ConfigError(f"{op.name} needs a slot; there are: {', '.join(slot_ids)}")
    action = list(WAIT)
    action[OP_COLUMN], action[0] = op, _slot(words[1], slot_ids)
    chosen = dict(_choices(op, words[2:]))
    if op is LifecycleOp.GERMINATE and "blueprint" not in chosen:
        raise ConfigError("GERMINATE needs a blueprint, as in blueprint=conv_light")
    for key, index in chosen.items():
        action[HEAD_NAMES.index(KEYS[key])] = index
    return canonical(action)


def action_text(action: Sequence[int], slot_ids: Sequence[str]) -> str:
    """Write an action as `parse_action` reads it; only what matters to the op is told."""
    op = LifecycleOp(action[OP_COLUMN])
    if op is LifecycleOp.WAIT:
        return op.name
    told = (
        f"{key}={OPTIONS[key](action[HEAD_NAMES.index(head)]).name.lower()}"
        for key, head in KEYS.items()
        if head in RELEVANT_HEADS[op]
    )
    return " ".join((op.name, slot_ids[action[0]], *told))


def _choices(op: LifecycleOp, words: Sequence[str]) -> Iterator[tuple[str, int]]:
    allowed = [key for key, head in KEYS.items() if head in RELEVANT_HEADS[op]]
    seen: set[str] = set()
    for word in words:
        key, separator, value = word.partition("=")
        if not separator or key not in allowed:
            told = ", ".join(f"{name}=…" for name in allowed) if allowed else "nothing"
            raise ConfigError(f"{word!r} does not belong to {op.name}; behind the slot it takes {told}")
        if key in seen:
            raise ConfigError(f"{key} is given twice; give it once")
        seen.add(key)
        yield key, _value(key, value)


def _value(key: str, text: str) -> int:
    # A strength is written as people think of it, too.
    if key == "target" and text in STRENGTHS:
        return STRENGTHS[text]
    option = _option(key, text, OPTIONS[key])
    if option is BlueprintAction.NOOP:
        raise ConfigError("blueprint=noop cannot be planted; take another")
    return int(option)


def _option(key: str, text: str, options: type[_Option]) -> _Option:
    if text.upper() not in options.__members__:
        raise ConfigError(f"no {key} is called {text!r}; there are: {_names(options)}")
    return options[text.upper()]


def _names(options: type[IntEnum]) -> str:
    return ", ".join(option.name if options is LifecycleOp else option.name.lower() for option in options)


def _slot(text: str, slot_ids: Sequence[str]) -> int:
    if text.lower() not in slot_ids:
        raise ConfigError(f"slot {text!r} is not enabled; there are: {', '.join(slot_ids)}")
    return slot_ids.index(text.lower())
