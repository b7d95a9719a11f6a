"""The end of a battle, looked for once all damage of the tick is done."""

from typing import Final

from diorama.worlds.tidebreak.codes import EndReason, ObjectiveStatus, UnitKind, WeaponGroup
from diorama.worlds.tidebreak.reference.events import EventKind
from diorama.worlds.tidebreak.reference.judge.objectives import settle_objectives
from diorama.worlds.tidebreak.reference.judge.score import remaining_share
from diorama.worlds.tidebreak.reference.outputs import Outputs
from diorama.worlds.tidebreak.reference.state import NO_WINNER, Battle, Unit

MARGIN: Final = 0.2  # of the share of cost left


def resolve_termination(battle: Battle, _outputs: Outputs) -> None:
    """End the battle when a side has won, all are out or time is up."""
    if battle.outcome.is_over:
        return
    standing = teams_standing(battle)
    if not standing:
        end_battle(battle, EndReason.ALL_OUT, NO_WINNER)
    elif not any(battle.are_enemies(team, other) for team in standing for other in standing):
        end_battle(battle, EndReason.ELIMINATION, _sole_winner(battle, standing))
    elif battle.rules.objective_ends_battle and (winner := _team_with_all_objectives(battle)) is not None:
        end_battle(battle, EndReason.OBJECTIVE, winner)
    elif battle.tick + 1 >= battle.rules.time_limit_ticks:
        end_battle(battle, EndReason.TIME_LIMIT, _leader(battle))


def end_battle(battle: Battle, reason: EndReason, winner: int) -> None:
    """Write the outcome and settle the objectives that lasted until now."""
    battle.outcome.end_reason, battle.outcome.winner = int(reason), winner
    settle_objectives(battle)
    battle.record(EventKind.BATTLE_END, f0=float(winner), i0=reason)


def teams_standing(battle: Battle) -> list[int]:
    """Teams that still have an effective ship or armed platform."""
    return [
        team.index
        for team in battle.spec.teams
        if any(unit.team == team.index and _keeps_in(battle, unit) for unit in battle.units)
    ]


def _keeps_in(battle: Battle, unit: Unit) -> bool:
    if not unit.is_effective or unit.identity.kind == UnitKind.SQUADRON:
        return False
    return unit.identity.kind == UnitKind.SHIP or is_armed(battle, unit)


def is_armed(battle: Battle, unit: Unit) -> bool:
    """Whether the unit has a weapon that orders can fire."""
    weapons = battle.spec.weapons
    return any(weapons[mount.weapon].group != WeaponGroup.AUTOMATIC for mount in unit.spec.mounts)


def _sole_winner(battle: Battle, standing: list[int]) -> int:
    """Of mutually neutral teams left over, the one with an enemy that lost; the lowest if several have."""
    out = [team.index for team in battle.spec.teams if team.index not in standing]
    fought = [team for team in standing if any(battle.are_enemies(team, other) for other in out)]
    return (fought or standing)[0]


def _team_with_all_objectives(battle: Battle) -> int | None:
    for team in battle.spec.teams:
        statuses = [
            unit.objective.status
            for unit in battle.units
            if unit.team == team.index and unit.spec.objective is not None
        ]
        if statuses and all(status == ObjectiveStatus.COMPLETED for status in statuses):
            return team.index
    return None


def _leader(battle: Battle) -> int:
    if not battle.rules.margin_on_timeout:
        return NO_WINNER
    shares = sorted(((remaining_share(battle, team.index), -team.index) for team in battle.spec.teams), reverse=True)
    (first, place), (second, _) = shares[:2]
    return -place if first - second >= MARGIN else NO_WINNER
