"""How exactly a picture tells its numbers: as exactly as anybody looks at them, so that replays stay small."""

from typing import Final

_SHARE_DIGITS: Final = 3
_COIN_DIGITS: Final = 2
_REWARD_DIGITS: Final = 5


def share(value: float) -> float:
    """A need, a trait, a tie, or another number between -1 and 1."""
    return _rounded(value, _SHARE_DIGITS)


def coins(value: float) -> float:
    """Money."""
    return _rounded(value, _COIN_DIGITS)


def paid(value: float) -> float:
    """A reward or a part of one."""
    return _rounded(value, _REWARD_DIGITS)


def _rounded(value: float, digits: int) -> float:
    return round(value, digits) + 0.0  # a zero has no sign, as in the state of the town
