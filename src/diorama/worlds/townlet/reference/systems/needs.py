"""Needs: how they change, and how they fade."""

from diorama.contracts.errors import ContractError
from diorama.worlds.townlet.codes import Need
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.state.citizen import Citizen
from diorama.worlds.townlet.reference.state.town import Town


def change_need(town: Town, citizen: Citizen, need: int, delta: float) -> None:
    """Add to a need; see `set_need`."""
    set_need(town, citizen, need, citizen.needs[need] + delta)


def set_need(town: Town, citizen: Citizen, need: int, value: float) -> None:
    """Set a need, kept within 0 and 1; falling below the critical threshold is told.

    Raises:
        ContractError: The value is not a number.
    """
    if value != value:
        raise ContractError(f"{Need(need).name.lower()} of citizen {citizen.number} would not be a number")
    before = citizen.needs[need]
    after = 0.0 if value < 0.0 else 1.0 if value > 1.0 else value
    citizen.needs[need] = after
    critical = town.config.behavior.critical_threshold
    if before >= critical > after:
        town.record(EventKind.NEED_CRITICAL, citizen.number, need, after)


def decay_needs(town: Town) -> None:
    """Let every need of every citizen fade by one tick."""
    rates = town.config.rewards.decay_rates.values
    has_factors = town.config.features.behavior.reward_multipliers
    critical = town.config.behavior.critical_threshold
    for citizen in town.in_turn():
        factors = town.tables.profiles[citizen.profile].need_factors
        needs = citizen.needs
        for need, rate in enumerate(rates):
            before = needs[need]
            after = before - (rate * factors[need] if has_factors else rate)
            needs[need] = after = after if after > 0.0 else 0.0
            if before >= critical > after:
                town.record(EventKind.NEED_CRITICAL, citizen.number, need, after)


def is_critical(town: Town, citizen: Citizen) -> bool:
    """Whether any need is below the critical threshold."""
    critical = town.config.behavior.critical_threshold
    return any(need < critical for need in citizen.needs)
