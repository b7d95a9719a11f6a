"""From the words of a command line to an envelope: values in order, `name=value` and `--name value`."""

import re
from collections.abc import Sequence
from typing import Any, Final

import msgspec

_NAMED: Final = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)
_OPTION: Final = re.compile(r"--([A-Za-z][A-Za-z0-9_-]*)(?:=(.*))?", re.DOTALL)


def parse_words(words: Sequence[str]) -> tuple[list[Any], dict[str, Any]]:
    """Return positional and named arguments.

    Numbers, lists, objects, `true`, `false` and `null` are read as JSON; everything else is text. An option without a
    value means yes.
    """
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    waiting = list(words)
    while waiting:
        word = waiting.pop(0)
        if (option := _OPTION.fullmatch(word)) is not None:
            given = option[2]
            if given is None:
                has_value = bool(waiting) and not waiting[0].startswith("--")
                given = waiting.pop(0) if has_value else "true"
            kwargs[option[1].replace("-", "_")] = parse_value(given)
        elif (named := _NAMED.fullmatch(word)) is not None:
            kwargs[named[1]] = parse_value(named[2])
        else:
            args.append(parse_value(word))
    return args, kwargs


def parse_value(text: str) -> Any:
    """Read a value as JSON, or as the text it is."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return text
