"""Amounts that may hang on prices: `0.2`, `"@shower_cost"`, `"-@cook_energy_cost"` or `{"@ingredients_cost": 2}`."""

from dataclasses import dataclass

from diorama.worlds.townlet.config.economy import ECONOMY_KEYS
from diorama.worlds.townlet.tables.documents import Amount


@dataclass(frozen=True, slots=True)
class Terms:
    """A constant plus economy fields times factors, summed in this order.

    Attributes:
        constant: The part that hangs on nothing.
        fields: Pairs of an index into `ECONOMY_KEYS` and a factor; the first four keys are live prices.
    """

    constant: float
    fields: tuple[tuple[int, float], ...] = ()


def parse_amount(given: Amount) -> Terms:
    """Read an amount.

    Raises:
        ValueError: It is no number and names no economy field.
    """
    if isinstance(given, str):
        return Terms(0.0, (_signed_field(given),))
    if isinstance(given, dict):
        return Terms(0.0, tuple((_field(key), factor) for key, factor in given.items()))
    return Terms(float(given))


def _signed_field(text: str) -> tuple[int, float]:
    return (_field(text[1:]), -1.0) if text.startswith("-") else (_field(text), 1.0)


def _field(text: str) -> int:
    if not text.startswith("@") or text[1:] not in ECONOMY_KEYS:
        known = ", ".join(f"@{key}" for key in ECONOMY_KEYS)
        raise ValueError(f"{text!r} is neither a number nor one of {known}")
    return ECONOMY_KEYS.index(text[1:])
