"""Worth of the teams: starting cost, and how much of it can still fight."""

from diorama.worlds.tidebreak.reference.state import Battle


def starting_cost(battle: Battle, team: int) -> float:
    """Cost of everything a team brought."""
    total = 0.0
    for spec in battle.spec.units:
        if spec.team == team:
            total += spec.hull.cost
    return total


def remaining_cost(battle: Battle, team: int) -> float:
    """Cost of what is still effective."""
    total = 0.0
    for unit in battle.units[: len(battle.spec.units)]:
        if unit.team == team and unit.is_effective:
            total += unit.spec.hull.cost
    return total


def remaining_share(battle: Battle, team: int) -> float:
    """Share of its starting cost that is still effective; 1 for a team that cost nothing."""
    start = starting_cost(battle, team)
    return remaining_cost(battle, team) / start if start > 0.0 else 1.0
