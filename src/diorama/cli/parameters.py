"""What help says of an argument or an option: its form, what it takes, and what it is when nobody gives it."""

from enum import Enum
from pathlib import Path, PurePath
from typing import Any, Final, Literal, get_args, get_origin

_KINDS: Final = {str: "TEXT", int: "NUMBER", float: "NUMBER", bool: "", Path: "PATH"}


def argument_name(item: Any) -> str:
    """Return what an argument is called."""
    return str(item.metavar or item.name.upper())


def argument_shape(item: Any) -> str:
    """Return an argument as a line of usage has it: in brackets where it may be left out."""
    name = argument_name(item)
    if item.nargs == -1 and not name.endswith("..."):
        name += "..."
    return name if item.required or name.startswith("[") else f"[{name}]"


def option_shape(item: Any) -> str:
    """Return an option with what it takes, the short name first."""
    names = ", ".join(sorted(item.opts, key=len))
    if item.secondary_opts:
        names += f" / {', '.join(item.secondary_opts)}"
    return f"{names} {_taken(item)}".rstrip()


def remarks(item: Any) -> str:
    """Return bounds, default and environment variable in one pair of brackets; nothing where there are none."""
    variable = f"also {item.envvar}" if item.envvar else ""
    parts = [part for part in (_bounds(item), _default(item), variable) if part]
    return f"[{'; '.join(parts)}]" if parts else ""


def _taken(item: Any) -> str:
    if item.is_flag:
        return ""
    if item.metavar:
        return str(item.metavar)
    kind = item.type_descriptor.annotation
    if get_origin(kind) is list:
        (kind,) = get_args(kind)
    if get_origin(kind) is Literal:
        return "|".join(str(choice) for choice in get_args(kind))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return "|".join(str(choice.value) for choice in kind)
    return _KINDS[kind]


def _bounds(item: Any) -> str:
    if item.min is None:
        return "" if item.max is None else f"at most {item.max:g}"
    return f"{item.min:g} or more" if item.max is None else f"{item.min:g} to {item.max:g}"


def _default(item: Any) -> str:
    if item.required:
        return "required"
    if isinstance(item.show_default, str):
        return f"default: {item.show_default}"
    default = item.default
    if default is None or default == () or isinstance(default, bool) or item.show_default is False:
        return ""
    shown = default.as_posix() if isinstance(default, PurePath) else getattr(default, "value", default)
    return f"default: {shown}"
