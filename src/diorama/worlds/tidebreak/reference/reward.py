"""What a tick was worth to a unit, part by part, and how a team shares it.

Everything is read off the state once the tick is done; nothing here changes it.
"""

from collections.abc import Sequence
from typing import Final

from diorama.worlds.tidebreak.codes import EndReason, UnitStatus
from diorama.worlds.tidebreak.reference.judge.score import starting_cost
from diorama.worlds.tidebreak.reference.judge.termination import teams_standing
from diorama.worlds.tidebreak.reference.state import NO_WINNER, Battle, Unit

OWN_TEAM_HITS: Final = -2.0
EFFECTIVE_BONUS: Final = 1.2
FAILED: Final = -0.5
DRAW: Final = -0.2

Components = tuple[float, ...]


def reward_components(battle: Battle, unit: Unit) -> Components:
    """Return the twelve parts in the order of `Component`, for the tick just passed."""
    scratch, hp_max = unit.scratch, unit.spec.hull.hp_max
    enemy_cost = enemy_starting_cost(battle, unit.team)
    return (
        _per_cost(scratch.dealt, enemy_cost) + OWN_TEAM_HITS * _per_cost(scratch.dealt_own, enemy_cost),
        -scratch.effective_taken / hp_max,
        _per_cost(scratch.credited_cost, enemy_cost),
        -1.0 if has_just_fallen(unit) else 0.0,
        -_lost_by_mates(battle, unit),
        scratch.objective_delta,
        _objective_result(unit),
        float(scratch.raised),
        -float(scratch.wasted),
        -float(scratch.mishaps) - scratch.hazard_damage / hp_max,
        -1.0 if unit.memory.was_effective else 0.0,
        _terminal(battle, unit.team),
    )


def weigh(components: Components, weights: Sequence[float]) -> float:
    """Return the sum of the weighted parts, in their order."""
    total = 0.0
    for part, weight in zip(components, weights, strict=True):
        total += weight * part
    return total


def share_with_team(battle: Battle, own: dict[int, float], team_share: float) -> dict[int, float]:
    """Mix every reward with the mean of its team.

    Args:
        battle: Whose teams.
        own: Reward of every starting unit, by id.
        team_share: Weight of the mean, 0 to 1.

    Returns:
        The mixed rewards, by id.
    """
    means: dict[int, float] = {}
    for team in battle.spec.teams:
        members = [spec.id for spec in battle.spec.units if spec.team == team.index]
        total = 0.0
        for member in members:
            total += own[member]
        means[team.index] = total / float(len(members))
    return {spec.id: (1.0 - team_share) * own[spec.id] + team_share * means[spec.team] for spec in battle.spec.units}


def shaping(battle: Battle, team: int, discount: float) -> float:
    """Return what potential-based shaping adds: the change of the cost margin, which is worth nothing after the end."""
    after = 0.0 if battle.outcome.is_over else cost_margin(battle, team)
    return discount * after - _margin(battle, team, is_before=True)


def cost_margin(battle: Battle, team: int) -> float:
    """Own minus enemy share of starting cost that is still effective."""
    return _margin(battle, team, is_before=False)


def ending_flags(battle: Battle, unit: Unit, *, credit_dead: bool) -> tuple[bool, bool]:
    """Return whether the unit's episode has ended by the rules, and whether it was cut off.

    With `credit_dead` a unit that is out waits for the end of the battle, and its episode then ends by the rules.
    """
    if not unit.is_effective:
        return battle.outcome.is_over or not credit_dead, False
    if not battle.outcome.is_over:
        return False, False
    is_cut = battle.outcome.end_reason in (EndReason.TIME_LIMIT, EndReason.ABORTED)
    return not is_cut, is_cut


def enemy_starting_cost(battle: Battle, team: int) -> float:
    """Cost of everything the enemies of a team brought."""
    total = 0.0
    for enemy in battle.spec.teams[team].enemies:
        total += starting_cost(battle, enemy)
    return total


def has_just_fallen(unit: Unit) -> bool:
    """Whether the unit stopped being effective in this tick other than by leaving the map."""
    return unit.memory.was_effective and not unit.is_effective and not unit.has(UnitStatus.EXITED)


def has_won(battle: Battle, team: int) -> bool:
    """Whether the team won, alone or beside a winner that it is not at war with."""
    winner = battle.outcome.winner
    if winner == NO_WINNER or team == winner:
        return winner != NO_WINNER
    return not battle.are_enemies(team, winner) and team in teams_standing(battle)


def _per_cost(value: float, cost: float) -> float:
    return value / cost if cost > 0.0 else 0.0


def _lost_by_mates(battle: Battle, unit: Unit) -> float:
    own_cost = starting_cost(battle, unit.spec.team)
    lost = 0.0
    for mate in battle.units[: len(battle.spec.units)]:
        if mate is not unit and mate.spec.team == unit.spec.team and has_just_fallen(mate):
            lost += mate.spec.hull.cost / own_cost
    return lost


def _objective_result(unit: Unit) -> float:
    if unit.scratch.objective_result == 0:
        return 0.0
    if unit.scratch.objective_result < 0:
        return FAILED
    return EFFECTIVE_BONUS if unit.is_effective else 1.0


def _terminal(battle: Battle, team: int) -> float:
    if not battle.outcome.is_over:
        return 0.0
    if battle.outcome.winner == NO_WINNER:
        return DRAW
    return 1.0 if has_won(battle, team) else -1.0


def _margin(battle: Battle, team: int, *, is_before: bool) -> float:
    own_start, own_left = starting_cost(battle, team), 0.0
    enemy_start, enemy_left = enemy_starting_cost(battle, team), 0.0
    for unit in battle.units[: len(battle.spec.units)]:
        if not (unit.memory.was_effective if is_before else unit.is_effective):
            continue
        if unit.spec.team == team:
            own_left += unit.spec.hull.cost
        elif battle.are_enemies(team, unit.spec.team):
            enemy_left += unit.spec.hull.cost
    return _per_cost(own_left, own_start) - _per_cost(enemy_left, enemy_start)
