"""What is counted for a unit, in the order of the contract's metric table."""

from diorama.worlds.tidebreak.reference.reward import cost_margin, has_won
from diorama.worlds.tidebreak.reference.state import NO_WINNER, Battle, Unit

Metrics = tuple[float, ...]


def unit_metrics(battle: Battle, unit: Unit) -> Metrics:
    """Return the metrics as they stand; `win` stays 0 until the battle is over."""
    tally, memory = unit.tally, unit.memory
    return (
        _win(battle, unit.team),
        1.0 if unit.is_effective else 0.0,
        cost_margin(battle, unit.team),
        tally.damage_dealt,
        tally.damage_taken,
        float(tally.kills),
        float(sum(tally.shots)),
        float(tally.hits),
        float(memory.contacts_sum) / float(battle.tick) if battle.tick > 0 else 0.0,
        float(memory.invalid_orders),
        float(battle.tick),
    )


def _win(battle: Battle, team: int) -> float:
    if not battle.outcome.is_over:
        return 0.0
    if battle.outcome.winner == NO_WINNER:
        return 0.5
    return 1.0 if has_won(battle, team) else 0.0
