"""Objectives that keep something: PROTECT, SCREEN, LOITER."""

from typing import Final

from diorama.worlds.tidebreak.reference.judge.standing import (
    Case,
    Standing,
    hp_share,
    is_asset_lost,
    is_in_zone,
    share,
)

SCREEN_ENOUGH: Final = 0.6
ASSET_HURT: Final = 0.5  # of hp_max
AWAY_TICKS: Final = 60


def judge_protect(case: Case, standing: Standing) -> None:
    """Keep the asset whole until the end."""
    limit = case.battle.rules.time_limit_ticks
    standing.progress = hp_share(case.asset) * share(float(case.elapsed_ticks), float(limit))
    if is_asset_lost(case.asset):
        standing.fail()


def settle_protect(case: Case, standing: Standing) -> None:
    """The end has come with the asset still there."""
    if case.asset.is_present and not is_asset_lost(case.asset):
        standing.complete()


def judge_screen(case: Case, standing: Standing) -> None:
    """Stay in place around the asset."""
    _count_zone(case, standing)
    standing.progress = share(float(standing.time_on), float(case.elapsed_ticks))
    if is_asset_lost(case.asset) or hp_share(case.asset) < ASSET_HURT or _has_strayed(standing):
        standing.fail()


def settle_screen(case: Case, standing: Standing) -> None:
    """The end has come; was the place kept long enough?"""
    if case.asset.is_present and not is_asset_lost(case.asset) and standing.progress >= SCREEN_ENOUGH:
        progress = standing.progress
        standing.complete()
        standing.progress = progress


def judge_loiter(case: Case, standing: Standing) -> None:
    """Spend time in an area."""
    _count_zone(case, standing)
    standing.progress = share(float(standing.time_on), float(case.task.duration_ticks))
    if not case.unit.is_effective or _has_strayed(standing):
        standing.fail()
    elif standing.progress >= 1.0:
        standing.complete()


def _count_zone(case: Case, standing: Standing) -> None:
    """`time_on` counts ticks inside; `value_a` those outside in a row, once `value_b` says it has been inside."""
    if case.unit.is_present and is_in_zone(case):
        standing.time_on += 1
        standing.value_a, standing.value_b = 0.0, 1.0
    elif standing.value_b == 1.0:
        standing.value_a += 1.0


def _has_strayed(standing: Standing) -> bool:
    return standing.value_a >= float(AWAY_TICKS)
