"""What bots remember, as a snapshot holds it."""

from typing import Any, Final

import msgspec

from diorama.contracts.bots import Bot, RememberingBot
from diorama.contracts.errors import SnapshotError
from diorama.contracts.values import JsonValue
from diorama.rng import Pcg32

_HEX: Final = 16


def export_memory(bot: Bot) -> JsonValue:
    """Return what a bot remembers; None for one that remembers nothing."""
    if not isinstance(bot, RememberingBot):
        return None
    memory: JsonValue = msgspec.to_builtins(bot.memory, order="deterministic", enc_hook=_stored)
    return memory


def load_memory(bot: Bot, state: JsonValue) -> None:
    """Let a bot remember what one of its kind did.

    Raises:
        SnapshotError: It is no memory of such a bot.
    """
    if not isinstance(bot, RememberingBot):
        if state is not None:
            raise SnapshotError(f"{type(bot).__name__} remembers nothing; the snapshot holds a memory of it")
        return
    try:
        bot.memory = msgspec.convert(state, type(bot.memory), dec_hook=_restored)
    except msgspec.ValidationError as error:
        raise SnapshotError(f"this is no memory of a {type(bot).__name__}: {error}") from None


def _stored(value: Any) -> list[str | int]:
    if not isinstance(value, Pcg32):
        raise TypeError(f"a bot remembers a {type(value).__name__}, which no snapshot can hold")
    return [f"{value.state:016x}", f"{value.inc:016x}", value.draws]


def _restored(kind: type[Any], value: Any) -> Pcg32:
    if kind is not Pcg32:
        raise TypeError(f"a bot remembers a {kind.__name__}, which no snapshot can hold")
    state, inc, draws = msgspec.convert(value, tuple[str, str, int])
    return Pcg32(int(state, _HEX), int(inc, _HEX), draws)
