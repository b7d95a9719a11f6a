"""Which narrations are told."""

from typing import Any

import pytest

from diorama.contracts.errors import SnapshotError
from diorama.contracts.live.events import Narration
from diorama.contracts.live.settings.telemetry import Narration as Settings
from diorama.contracts.values import JsonObject
from diorama.telemetry.live.narration_limiter import NarrationLimiter

OPEN: dict[str, Any] = {
    "global_cooldown_ticks": 0,
    "category_cooldown_ticks": {},
    "dedupe_window_ticks": 0,
    "global_window_limit": 100,
}


def said(tick: int, category: str = "x", key: str | None = None, is_priority: bool = False) -> Narration:
    return Narration(
        tick=tick, category=category, message="m", is_priority=is_priority, dedupe_key=key or f"{category}:{tick}"
    )


def told(settings: Settings, *narrations: Narration) -> list[bool]:
    limiter = NarrationLimiter(settings)
    return [limiter.admit(narration) for narration in narrations]


def test_a_key_is_silent_for_its_window_whatever_the_priority() -> None:
    settings = Settings(**{**OPEN, "dedupe_window_ticks": 20})

    assert told(settings, said(0, key="k"), said(19, key="k", is_priority=True), said(20, key="k")) == [
        True,
        False,
        True,
    ]


def test_cooldowns_hold_back_all_but_priority() -> None:
    settings = Settings(**{**OPEN, "global_cooldown_ticks": 10, "category_cooldown_ticks": {"slow": 30}})

    assert told(
        settings,
        said(0, "slow"),
        said(9, "other"),
        said(9, "other", is_priority=True),
        said(20, "slow"),
        said(30, "slow"),
    ) == [True, False, True, False, True]


def test_the_rolling_window_limits_priority_too() -> None:
    settings = Settings(**{**OPEN, "global_window_ticks": 100, "global_window_limit": 2})

    urgent = [said(tick, is_priority=True) for tick in (0, 50, 99, 100, 101)]

    assert told(settings, *urgent) == [True, True, False, True, False]


def test_its_state_survives_a_snapshot() -> None:
    settings = Settings()
    one, other = NarrationLimiter(settings), NarrationLimiter(settings)
    for tick in range(0, 900, 7):
        one.admit(said(tick, "queue_conflict", key=f"k{tick % 5}", is_priority=tick % 3 == 0))

    other.load(one.export())

    later = [
        said(tick, "queue_conflict", key=f"k{tick % 5}", is_priority=tick % 2 == 0) for tick in range(900, 2000, 3)
    ]
    assert [one.admit(item) for item in later] == [other.admit(item) for item in later]
    assert one.export() == other.export()


@pytest.mark.parametrize("broken", [{"window": 3}, {"by_key": {"k": "soon"}}, {"last_tick": True}])
def test_a_state_that_is_none_is_refused_and_changes_nothing(broken: JsonObject) -> None:
    limiter = NarrationLimiter(Settings())
    limiter.admit(said(3))
    before = limiter.export()

    with pytest.raises(SnapshotError, match="narration limiter"):
        limiter.load({**before, **broken})

    assert limiter.export() == before


def test_a_world_that_was_set_back_may_tell_again() -> None:
    assert told(Settings(), said(500, key="k"), said(3, key="k")) == [True, True]
