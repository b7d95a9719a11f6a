"""Hooks from modules a configuration names; they run in Python, never in batches unless they are deferred."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Final

from diorama.contracts.errors import ConfigError

FIRST_CODE: Final = 64  # below are the built-in ones


@dataclass(frozen=True, slots=True, kw_only=True)
class HookCall:
    """What a custom hook is told; `town` is the running town, read and changed through `reference.systems`."""

    stage: str
    hook: str
    tick: int
    agent_id: str
    object_id: str
    affordance_id: str
    town: object


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomHook:
    """A hook of a module's `HOOKS`; a `before` hook cancels by returning a reason.

    Attributes:
        is_deferred: Named in the module's `DEFERRED`: runs after the tick and may not change state.
    """

    name: str
    run: Callable[[HookCall], str | None]
    is_deferred: bool


def load_hooks(modules: Sequence[str]) -> tuple[CustomHook, ...]:
    """Import the modules and collect their hooks, in the order given.

    Raises:
        ConfigError: A module cannot be imported, or has no mapping `HOOKS`.
    """
    found: list[CustomHook] = []
    for name in modules:
        try:
            module = import_module(name)
        except ImportError as error:
            raise ConfigError(f"affordances.hook_modules: {name!r} cannot be imported ({error})") from None
        hooks = vars(module).get("HOOKS")
        if not isinstance(hooks, Mapping):
            raise ConfigError(f"affordances.hook_modules: {name!r} has no mapping HOOKS of hooks by name")
        deferred = vars(module).get("DEFERRED", ())
        found += [CustomHook(name=hook, run=run, is_deferred=hook in deferred) for hook, run in hooks.items()]
    return tuple(found)
