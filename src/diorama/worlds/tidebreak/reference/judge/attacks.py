"""Objectives against enemies: DESTROY, DISABLE, RAID, INTERCEPT, CAPTURE."""

from typing import Final

from diorama.numerics import fmax
from diorama.worlds.tidebreak.codes import BoardingStatus, SizeClass, System, UnitStatus
from diorama.worlds.tidebreak.reference.judge.standing import (
    SUNK,
    Case,
    Standing,
    distance_between,
    hp_share,
    is_asset_lost,
    is_lost,
    share,
)
from diorama.worlds.tidebreak.reference.state import Unit
from diorama.worlds.tidebreak.reference.systems.compartments import usable

RAID_PAR: Final = 0.5  # of the enemies' starting cost
RAID_ENOUGH: Final = 0.25
INTERCEPT_REACH_M: Final = 500.0
CAPTURE_SLOWED: Final = 0.3
CAPTURE_BOARDED: Final = 0.7


def judge_destroy(case: Case, standing: Standing) -> None:
    """Sink the target."""
    target = case.target
    standing.progress = 1.0 - hp_share(target)
    if target.has(SUNK):
        standing.complete()
    elif target.has(UnitStatus.EXITED) or not case.unit.is_effective:
        standing.fail()


def judge_disable(case: Case, standing: Standing) -> None:
    """Stop the target without sinking it."""
    target = case.target
    hurt = fmax(1.0 - usable(target, System.PROPULSION), 1.0 - usable(target, System.WEAPONS))
    standing.progress = fmax(hurt, 1.0 - hp_share(target))
    is_out = target.has(UnitStatus.DISABLED | UnitStatus.SURRENDERED | UnitStatus.CAPTURED)
    is_crippled = target.has(UnitStatus.MOBILITY_DISABLED) and target.has(UnitStatus.WEAPONS_DISABLED)
    if target.has(SUNK | UnitStatus.EXITED):
        standing.fail()
    elif is_out or is_crippled:
        standing.complete()


def judge_raid(case: Case, standing: Standing) -> None:
    """Do damage and get away; `value_a` is the cost of what was damaged and taken."""
    standing.value_a += case.unit.scratch.dealt + case.unit.scratch.captured_cost
    standing.progress = share(standing.value_a, RAID_PAR * enemy_cost(case))
    if is_lost(case.unit):
        standing.fail()
    elif case.unit.has(UnitStatus.EXITED):
        settle_raid(case, standing)
        if standing.progress < RAID_ENOUGH:
            standing.fail()


def settle_raid(case: Case, standing: Standing) -> None:
    """At the end, a raid that did enough is done; its progress stays what it was."""
    if not is_lost(case.unit) and standing.progress >= RAID_ENOUGH:
        progress = standing.progress
        standing.complete()
        standing.progress = progress


def enemy_cost(case: Case) -> float:
    """Starting cost of all enemies."""
    total = 0.0
    for spec in case.battle.spec.units:
        if case.battle.are_enemies(case.unit.team, spec.team):
            total += spec.hull.cost
    return total


def judge_intercept(case: Case, standing: Standing) -> None:
    """Stop every target, before it reaches the asset if there is one."""
    targets = [case.battle.unit(target_id) for target_id in case.task.target_ids]
    stopped = sum(not target.is_effective for target in targets)
    standing.progress = share(float(stopped), float(len(targets)))
    if case.task.asset_id and _is_asset_reached(case.asset, targets):
        standing.fail()
    elif stopped == len(targets):
        standing.complete()


def _is_asset_reached(asset: Unit, targets: list[Unit]) -> bool:
    return is_asset_lost(asset) or any(
        target.is_effective and distance_between(target, asset) <= INTERCEPT_REACH_M for target in targets
    )


def judge_capture(case: Case, standing: Standing) -> None:
    """Take the target, or gain a foothold on a city."""
    target = case.target
    boarders = [
        unit for unit in case.battle.units if unit.team == case.unit.team and unit.boarding.target_id == target.id
    ]
    boarded = 0.0
    for boarder in boarders:
        boarded = fmax(boarded, _boarding_progress(boarder, target))
    standing.progress = CAPTURE_SLOWED * (1.0 - usable(target, System.PROPULSION)) + CAPTURE_BOARDED * boarded
    has_foothold = any(boarder.boarding.status == BoardingStatus.ESTABLISHED for boarder in boarders)
    is_taken = target.has(UnitStatus.CAPTURED) and target.memory.captor_team == case.unit.team
    if is_taken or (target.identity.size == SizeClass.XL and has_foothold):
        standing.complete()
    elif target.has(SUNK | UnitStatus.EXITED):
        standing.fail()


def _boarding_progress(boarder: Unit, target: Unit) -> float:
    if target.identity.size == SizeClass.L:
        bridge, cic, engineering = boarder.boarding.progress
        return (bridge + cic + engineering) / 3.0
    return share(boarder.boarding.transferred, fmax(1.0, float(boarder.spec.crew.marines)))
