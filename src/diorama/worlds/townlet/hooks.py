"""The built-in hooks of affordances by name, and the codes both tiers know them by."""

from enum import IntEnum
from typing import Final


class Hook(IntEnum):
    """What runs before, after or on failure of an affordance; those not told of below only count attempts."""

    ATTEMPT_SHOWER = 0
    FINISH_SHOWER = 1  # counts, and emits `shower_complete`
    NO_POWER = 2  # emits `shower_power_outage` when power or water is off
    ATTEMPT_EAT = 3
    FINISH_EAT = 4  # counts, and shares the meal
    EAT_FAIL = 5
    ATTEMPT_COOK = 6
    FINISH_COOK = 7  # counts
    COOK_FAIL = 8
    ATTEMPT_SLEEP = 9
    FINISH_SLEEP = 10  # counts, and emits `sleep_complete`
    ATTEMPT_BUY = 11
    FINISH_BUY = 12
    BUY_FAIL = 13


BUILT_IN: Final = {
    "on_attempt_shower": Hook.ATTEMPT_SHOWER,
    "on_finish_shower": Hook.FINISH_SHOWER,
    "on_no_power": Hook.NO_POWER,
    "on_attempt_eat": Hook.ATTEMPT_EAT,
    "on_finish_eat": Hook.FINISH_EAT,
    "on_eat_fail": Hook.EAT_FAIL,
    "on_attempt_cook": Hook.ATTEMPT_COOK,
    "on_finish_cook": Hook.FINISH_COOK,
    "on_cook_fail": Hook.COOK_FAIL,
    "on_attempt_sleep": Hook.ATTEMPT_SLEEP,
    "on_finish_sleep": Hook.FINISH_SLEEP,
    "on_attempt_buy": Hook.ATTEMPT_BUY,
    "on_finish_buy": Hook.FINISH_BUY,
    "on_buy_fail": Hook.BUY_FAIL,
}
