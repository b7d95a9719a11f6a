"""What several sections must agree on; every disagreement is told with its path."""

from typing import TYPE_CHECKING, Final

from diorama.worlds.townlet.config.economy import basket_cost
from diorama.worlds.townlet.config.features import STAGE_RANK

if TYPE_CHECKING:
    from diorama.worlds.townlet.config.simulation import SimulationConfig

_MISSED_MEAL_DEFICIT_SQUARED: Final = 0.16  # a meal gives 0.4
_MEALS_PER_DAY: Final = 3.0
_ROUNDING: Final = (
    1e-12  # the default configuration meets "living beats dying" with room, a tuned one may meet it exactly
)


def contradictions(config: "SimulationConfig") -> list[str]:
    """Return a line for everything that does not fit together; empty for a sound configuration."""
    return [
        *_stages(config),
        *_console(config),
        *_slots(config),
        *_shifts(config),
        *_rewards(config),
        *_wages(config),
        *_price_targets(config),
        *_spawn_policy(config),
    ]


def _spawn_policy(config: "SimulationConfig") -> list[str]:
    if config.lifecycle.spawn_policy == "release":
        return []
    return [
        "lifecycle.spawn_policy: elitist needs replicas that each have parameters of their own, and all citizens are "
        "played by one policy; use release"
    ]


def _stages(config: "SimulationConfig") -> list[str]:
    stages = config.features.stages
    if STAGE_RANK[stages.social_rewards] <= STAGE_RANK[stages.relationships]:
        return []
    return [
        f"features.stages.social_rewards: {stages.social_rewards} is beyond the relationships, which are at "
        f"{stages.relationships}"
    ]


def _console(config: "SimulationConfig") -> list[str]:
    if config.features.console.mode == "viewer" or config.console_auth.enabled:
        return []
    return ["features.console.mode: admin needs console_auth.enabled"]


def _slots(config: "SimulationConfig") -> list[str]:
    slots, seats = config.embedding_allocator.max_slots, config.world.seats
    return [] if slots >= seats else [f"embedding_allocator.max_slots: {slots} is fewer than world.seats, {seats}"]


def _shifts(config: "SimulationConfig") -> list[str]:
    day = config.world.ticks_per_day
    return [
        f"jobs.{name}.end_tick: {job.end_tick} is after the end of the day, {day}"
        for name, job in config.jobs.items()
        if job.end_tick > day
    ]


def _rewards(config: "SimulationConfig") -> list[str]:
    rewards, day = config.rewards, config.world.ticks_per_day
    problems = []
    pain = (
        rewards.homeostasis_scale * rewards.needs_weights.hunger * _MISSED_MEAL_DEFICIT_SQUARED * day / _MEALS_PER_DAY
    )
    if not rewards.punctuality_bonus < pain:
        problems.append(
            f"rewards.punctuality_bonus: {rewards.punctuality_bonus} is worth a missed meal; use less than {pain:.6g}"
        )
    longest = max((job.shift_ticks for job in config.jobs.values()), default=0)
    living = (
        rewards.survival_tick
        - rewards.homeostasis_scale * sum(rewards.needs_weights.values)
        - rewards.withheld_factor * rewards.wage_rate * longest / day
    )
    dying = rewards.faint_penalty * (1.0 - config.ppo.gamma)
    if living < dying - _ROUNDING:
        problems.append(
            f"rewards.faint_penalty: at its worst a tick of life is worth {living:.6g}, less than fainting at "
            f"{dying:.6g}; living must beat dying"
        )
    return problems


def _wages(config: "SimulationConfig") -> list[str]:
    economy, basket = config.economy, basket_cost(config.economy.prices)
    problems = []
    for name, job in config.jobs.items():
        ratio = wage_ratio(job.shift_ticks, job.wage_rate or economy.wage_income, basket)
        if ratio < economy.slack_min:
            problems.append(
                f"jobs.{name}.wage_rate: a day's wage is {ratio:.4g} of the basket of {basket:.4g}; at least "
                f"{economy.slack_min}"
            )
    return problems


def wage_ratio(shift_ticks: int, wage_rate: float, basket: float) -> float:
    """A day's wage over what a day costs; endless where a day costs nothing."""
    return shift_ticks * wage_rate / basket if basket > 0.0 else float("inf")


def _price_targets(config: "SimulationConfig") -> list[str]:
    return [
        f"perturbations.events.{name}.targets: {target!r} is neither a price group nor a price"
        for name, spec in (config.perturbations.events or {}).items()
        for target in spec.targets or ()
        if not config.economy.keys_of(target)
    ]
