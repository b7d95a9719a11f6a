"""`queue_fairness`, `conflict`, `relationships` and `personalities`: how citizens get on with one another."""

from typing import Annotated, Self

from pydantic import Field, model_validator

from diorama.contracts.sections import Section, fixed, hot

Weight = Annotated[float, Field(ge=0.0)]


class QueueFairness(Section):
    """Reservations and queues.

    Attributes:
        cooldown_ticks: Ticks before one may have the same object again.
        age_priority_weight: How much waiting counts for the place in line.
        reservation_timeout: Ticks in which a holder must begin.
        queue_timeout: Ticks after which one gives up waiting.
        queue_capacity: Places in a line.
        request_radius: Tiles from which an object can be asked for.
    """

    cooldown_ticks: int = hot(60, ge=0, le=600)
    ghost_step_after: int = hot(3, ge=0, le=100, description="Blocked ticks until somebody gives way; 0: never.")
    age_priority_weight: float = hot(0.1, ge=0.0, le=1.0)
    reservation_timeout: int = hot(30, ge=1, le=600)
    queue_timeout: int = hot(120, ge=1, le=2000)
    queue_capacity: int = fixed(8, ge=1, le=32)
    request_radius: int = fixed(2, ge=0, le=10)


class Rivalry(Section):
    """How conflicts turn into rivalry, and how it fades.

    Attributes:
        increment_per_conflict: What a conflict of intensity 1 adds.
        decay_per_tick: What it loses in a tick.
        min_value: Least rivalry of a tie.
        max_value: Most rivalry of a tie.
        avoid_threshold: From here on two avoid each other.
        eviction_threshold: A tie that means nothing else any more ends at or below it.
        ghost_step_boost: Intensity where a line was held up.
        handover_boost: Intensity where an object was handed on.
        queue_length_boost: Added for everybody else in line.
    """

    increment_per_conflict: float = hot(0.15, ge=0.0, le=1.0)
    decay_per_tick: float = hot(0.001, ge=0.0, le=1.0)
    min_value: float = hot(0.0, ge=0.0, le=1.0)
    max_value: float = hot(1.0, ge=0.0, le=1.0)
    avoid_threshold: float = hot(0.7, ge=0.0, le=1.0)
    eviction_threshold: float = hot(0.05, ge=0.0, le=1.0)
    max_edges: int = fixed(6, ge=1, le=32, description="Ties of one citizen.")
    ghost_step_boost: float = hot(1.5, ge=0.0, le=5.0)
    handover_boost: float = hot(0.4, ge=0.0, le=5.0)
    queue_length_boost: float = hot(0.25, ge=0.0, le=2.0)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.min_value > self.max_value:
            raise ValueError(f"min_value {self.min_value} is above max_value {self.max_value}")
        for name, value in (
            ("avoid_threshold", self.avoid_threshold),
            ("eviction_threshold", self.eviction_threshold),
        ):
            if not self.min_value <= value <= self.max_value:
                raise ValueError(f"{name} {value} is outside {self.min_value}..{self.max_value}")
        return self


class Conflict(Section):
    """Conflicts between citizens."""

    rivalry: Rivalry = Field(default_factory=Rivalry)


class Relationships(Section):
    """Ties, chats and shared meals.

    Attributes:
        trust_decay_per_hour: What trust loses.
        familiarity_decay_per_hour: What familiarity loses.
        chat_cooldown_ticks: Ticks from one chat of a citizen to the next.
        chat_base_success: Chance that a chat between strangers goes well.
        shared_meal_window: Ticks in which two meals count as shared.
        churn_window_ticks: Length of the window over which ties that end are counted.
    """

    trust_decay_per_hour: float = hot(0.002, ge=0.0, le=1.0)
    familiarity_decay_per_hour: float = hot(0.002, ge=0.0, le=1.0)
    chat_cooldown_ticks: int = hot(30, ge=0, le=1000)
    chat_base_success: float = hot(0.7, ge=0.0, le=1.0)
    shared_meal_window: int = hot(30, ge=0, le=200)
    churn_window_ticks: int = hot(600, ge=1, le=100000)


class Personalities(Section):
    """Which profiles citizens get.

    Attributes:
        distribution: Weight of every profile.
        trait_jitter: How far traits scatter around the profile.
    """

    distribution: dict[str, Weight] = fixed(
        default_factory=lambda: {"balanced": 0.4, "socialite": 0.2, "industrious": 0.2, "stoic": 0.2}
    )
    overrides: dict[str, str] = fixed(default_factory=dict, description="Profile of a citizen by id.")
    trait_jitter: float = fixed(0.1, ge=0.0, le=1.0)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not sum(self.distribution.values()) > 0.0:
            raise ValueError("distribution needs a weight above 0")
        return self
