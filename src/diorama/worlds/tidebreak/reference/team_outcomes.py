"""What a battle means to a team."""

from collections.abc import Mapping
from typing import Final

from diorama.numerics import clamp
from diorama.worlds.tidebreak.codes import ShipFate, UnitStatus
from diorama.worlds.tidebreak.packages.outcomes import TeamOutcome
from diorama.worlds.tidebreak.reference.fates import Fate
from diorama.worlds.tidebreak.reference.judge.score import starting_cost
from diorama.worlds.tidebreak.reference.state import Battle, Unit
from diorama.worlds.tidebreak.resolve.records import ResolvedTeam

DECISIVE_LOST_MAX: Final = 0.25
DECISIVE_GAINED_MIN: Final = 0.6
FLAGSHIP_LOSS: Final = 0.05
MORALE_RANGE: Final = (-0.3, 0.2)

Fates = Mapping[int, Fate]


def team_outcome(battle: Battle, team: ResolvedTeam, fates: Fates) -> TeamOutcome:
    """Weigh a team's losses against those of its enemies."""
    own = [unit for unit in _ships(battle) if unit.team == team.index]
    enemies = [unit for unit in _ships(battle) if unit.team in team.enemies]
    lost, gained = _lost_share(own, fates), _lost_share(enemies, fates)
    is_winner = battle.outcome.winner == team.index
    decisive = is_winner and lost <= DECISIVE_LOST_MAX and gained >= DECISIVE_GAINED_MIN
    cost_end = 0.0
    for unit in own:
        cost_end += 0.0 if fates[unit.id].is_loss else unit.spec.hull.cost
    return TeamOutcome(
        team_id=team.team_id,
        morale_delta=_morale_delta(battle, team, own, fates, lost, gained, decisive=decisive),
        ships_lost=sum(fates[unit.id].fate in (ShipFate.DESTROYED, ShipFate.SCUTTLED) for unit in own),
        ships_surrendered=sum(unit.has(UnitStatus.SURRENDERED) for unit in own),
        ships_captured=sum(fates[unit.id].fate is ShipFate.CAPTURED for unit in own),
        decisive_victory=decisive,
        cost_start=starting_cost(battle, team.index),
        cost_end=cost_end,
    )


def _ships(battle: Battle) -> list[Unit]:
    return battle.units[: len(battle.spec.units)]


def _lost_share(units: list[Unit], fates: Fates) -> float:
    """Share of starting cost that is neither operational nor away over the edge."""
    total, lost = 0.0, 0.0
    for unit in units:
        total += unit.spec.hull.cost
        if fates[unit.id].is_loss and not unit.has(UnitStatus.EXITED):
            lost += unit.spec.hull.cost
    return lost / total if total > 0.0 else 0.0


def _surrendered_share(units: list[Unit]) -> float:
    total, surrendered = 0.0, 0.0
    for unit in units:
        total += unit.spec.hull.cost
        if unit.has(UnitStatus.SURRENDERED):
            surrendered += unit.spec.hull.cost
    return surrendered / total if total > 0.0 else 0.0


def _morale_delta(
    battle: Battle,
    team: ResolvedTeam,
    own: list[Unit],
    fates: Fates,
    lost: float,
    gained: float,
    *,
    decisive: bool,
) -> float:
    winner = battle.outcome.winner
    if winner == team.index:
        delta = 0.05 + 0.10 * (1.0 if decisive else 0.0) + 0.05 * gained
    elif winner in team.enemies:
        delta = -0.05 - 0.15 * lost - 0.10 * _surrendered_share(own)
    else:
        delta = 0.03 * gained - 0.05 * lost
    if any(unit.spec.is_flagship and fates[unit.id].is_loss for unit in own):
        delta -= FLAGSHIP_LOSS
    return clamp(delta, *MORALE_RANGE)
