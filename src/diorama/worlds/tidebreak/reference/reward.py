"""What a tick was worth to a unit, part by part, and how a team shares it.

Everything is read off the state once the tick is done; nothing here changes it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from diorama.worlds.tidebreak.codes import EndReason, UnitStatus
from diorama.worlds.tidebreak.reference.judge.score import starting_cost
from diorama.worlds.tidebreak.reference.judge.termination import teams_standing
from diorama.worlds.tidebreak.reference.state import NO_WINNER, Battle, Unit
from diorama.worlds.tidebreak.reward_weights import Component

OWN_TEAM_HITS: Final = -2.0
EFFECTIVE_BONUS: Final = 1.2
FAILED: Final = -0.5
DRAW: Final = -0.2

Components = tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RewardRule:
    """How parts become a reward.

    Attributes:
        weights: Of the parts, in their order.
        team_share: Weight of the team's mean, 0 to 1.
        discount: Of potential-based shaping, None without it.
    """

    weights: tuple[float, ...]
    team_share: float
    discount: float | None


@dataclass(slots=True)
class Reward:
    """What a unit is paid, for one tick or summed over several.

    Attributes:
        total: The reward.
        components: The twelve parts as they are, before weights.
        team: What the mean of the team adds.
        shaping: What potential-based shaping adds.
    """

    total: float = 0.0
    components: list[float] = field(default_factory=lambda: [0.0] * len(Component))
    team: float = 0.0
    shaping: float = 0.0

    def add(self, other: "Reward") -> None:
        """Add another reward."""
        self.total += other.total
        for place, part in enumerate(other.components):
            self.components[place] += part
        self.team += other.team
        self.shaping += other.shaping

    def terms(self, rule: RewardRule) -> dict[str, float]:
        """Return the parts it is the sum of, by name."""
        own_share = 1.0 - rule.team_share
        terms = {
            component.value: own_share * weight * part
            for component, weight, part in zip(Component, rule.weights, self.components, strict=True)
        }
        terms["team"] = self.team
        if rule.discount is not None:
            terms["shaping"] = self.shaping
        return terms


def tick_rewards(battle: Battle, rule: RewardRule) -> dict[int, Reward]:
    """Return what the tick just passed was worth to every starting unit, by id."""
    starting = battle.units[: len(battle.spec.units)]
    components = {unit.id: reward_components(battle, unit) for unit in starting}
    own = {unit_id: weigh(parts, rule.weights) for unit_id, parts in components.items()}
    means = team_means(battle, own)
    rewards = {}
    for unit in starting:
        team = rule.team_share * means[unit.team]
        total = (1.0 - rule.team_share) * own[unit.id] + team
        extra = 0.0
        if rule.discount is not None:
            extra = shaping(battle, unit.team, rule.discount)
            total += extra
        rewards[unit.id] = Reward(total=total, components=list(components[unit.id]), team=team, shaping=extra)
    return rewards


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


def team_means(battle: Battle, own: dict[int, float]) -> dict[int, float]:
    """Return the mean reward of each team, by its index; `own` has every starting unit, by id."""
    means: dict[int, float] = {}
    for team in battle.spec.teams:
        members = [spec.id for spec in battle.spec.units if spec.team == team.index]
        total = 0.0
        for member in members:
            total += own[member]
        means[team.index] = total / float(len(members))
    return means


def shaping(battle: Battle, team: int, discount: float) -> float:
    """Return what potential-based shaping adds: the change of the cost margin, which is worth nothing after the end."""
    after = 0.0 if battle.outcome.is_over else cost_margin(battle, team)
    return discount * after - _margin(battle, team, is_before=True)


def cost_margin(battle: Battle, team: int) -> float:
    """Own minus enemy share of starting cost that is still effective."""
    return _margin(battle, team, is_before=False)


def ending_flags(battle: Battle, unit: Unit, *, credit_dead: bool) -> tuple[bool, bool]:
    """Return whether the unit's episode has ended by the rules, and whether it was cut off.

    With `credit_dead` a unit that is out waits for the end of the battle, and its episode then ends by the rules;
    without, it ends in the tick in which the unit falls, and once.
    """
    if not credit_dead and not unit.memory.was_effective:
        return False, False
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
