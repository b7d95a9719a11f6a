"""What can be set per field space; everything else is a constant of the engine."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from diorama.contracts.errors import ConfigError
from diorama.worlds.tidebreak.limits import BRICKS_DEFAULT, FIELD_PERIOD_MAX_TICKS
from diorama.worlds.tidebreak.reference.fields.constants import (
    DYNAMIC_RULES,
    FIELD_PERIOD_TICKS,
    N_BRICKS,
    N_DYNAMIC,
    N_LAYERS,
    TEMPERATURE_C,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSettings:
    """Settings of one field space; the last two have one value per dynamic field."""

    field_period: int = FIELD_PERIOD_TICKS  # seconds that one propagation covers
    max_bricks: int = BRICKS_DEFAULT
    temperature: Sequence[float] = TEMPERATURE_C  # default of each layer, °C
    is_dynamic: bool = True  # when off, nothing can be stamped and every dynamic field reads its default
    diffusivity: Sequence[float] = tuple(rule.diffusivity_m2_s for rule in DYNAMIC_RULES)
    decay: Sequence[float] = tuple(rule.decay_per_s for rule in DYNAMIC_RULES)

    def __post_init__(self) -> None:
        """Refuse what makes no sense.

        Raises:
            ConfigError: With the name and value of the first wrong setting.
        """
        _check_range("field_period", self.field_period, 1, FIELD_PERIOD_MAX_TICKS)
        _check_range("max_bricks", self.max_bricks, 0, N_BRICKS)
        _check_count("temperature", self.temperature, N_LAYERS)
        for value in self.temperature:
            _check_range("temperature", value, DYNAMIC_RULES[0].low, DYNAMIC_RULES[0].high)
        for name, values in (("diffusivity", self.diffusivity), ("decay", self.decay)):
            _check_count(name, values, N_DYNAMIC)
            for value in values:
                if not (math.isfinite(value) and value >= 0.0):
                    raise ConfigError(f"{name} has {value}; it must be a finite number of 0 or more")


def _check_range(name: str, value: float, lowest: float, highest: float) -> None:
    if not lowest <= value <= highest:
        raise ConfigError(f"{name} is {value}; it must be {lowest:g} to {highest:g}")


def _check_count(name: str, values: Sequence[float], count: int) -> None:
    if len(values) != count:
        raise ConfigError(f"{name} has {len(values)} values; it must have {count}")
