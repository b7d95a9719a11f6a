"""`embedding_allocator`, `observations`, `policy_runtime`, `behavior`: a citizen's identity, senses and decisions."""

from typing import Annotated, Literal, Self

from pydantic import Field, field_validator, model_validator

from diorama.contracts.sections import Section, fixed, hot

Share = Annotated[float, Field(ge=0.0, le=1.0)]


class EmbeddingAllocator(Section):
    """Slots that stand for citizens in observations.

    Attributes:
        cooldown_ticks: Ticks that a slot rests after its citizen left.
        reuse_warning_threshold: Share of slots that were reused too early, from which the monitor warns.
        log_forced_reuse: Whether such a reuse is told as an event.
        max_slots: Slots; not fewer than seats.
    """

    cooldown_ticks: int = hot(2000, ge=0, le=10000)
    reuse_warning_threshold: float = hot(0.05, ge=0.0, le=0.5)
    log_forced_reuse: bool = hot(True)
    max_slots: int = fixed(64, ge=1, le=256)


class CompactObservation(Section):
    """The map of the compact variant."""

    map_window: int = fixed(7, ge=0, le=21, description="Odd, 3 to 21; 0 for no map.")
    object_channels: Annotated[tuple[str, ...], Field(strict=False)] = fixed((), description="Object types.")

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.map_window != 0 and (self.map_window < 3 or self.map_window % 2 == 0):
            raise ValueError(f"map_window {self.map_window} is wrong; use 0 or an odd number from 3 to 21")
        if len(set(self.object_channels)) < len(self.object_channels):
            raise ValueError("object_channels names a type twice")
        return self


class Observations(Section):
    """Windows onto the grid."""

    local_window: int = fixed(11, ge=3, le=21, description="Odd; of the variants hybrid and full.")
    compact: CompactObservation = Field(default_factory=CompactObservation)

    @field_validator("local_window")
    @classmethod
    def _check_window(cls, value: int) -> int:
        if value % 2 == 0:
            raise ValueError("the window must be odd")
        return value


class PolicyRuntime(Section):
    """How decisions are taken.

    Attributes:
        action_level: Whether citizens choose what to go for, or single steps.
        option_commit_ticks: Ticks for which a choice binds.
    """

    action_level: Literal["option", "primitive"] = fixed("option")
    option_commit_ticks: int = hot(15, ge=0, le=1000)
    sample_actions: bool = hot(True, description="False: the most likely action is taken.")
    policy_artifact: str | None = fixed(None, description="Not used: `--policy` says who decides.")


class Behavior(Section):
    """Thresholds of the scripted controller.

    Attributes:
        hunger_threshold: Eats below it.
        hygiene_threshold: Washes below it.
        energy_threshold: Sleeps below it.
        night_energy_threshold: Sleeps below it at night.
        critical_threshold: Drops everything else below it.
        job_arrival_buffer: Ticks before a shift at which it wants to be there.
        chat_min_extroversion: Extroversion from which it looks for company.
    """

    hunger_threshold: Share = hot(0.5)
    hygiene_threshold: Share = hot(0.5)
    energy_threshold: Share = hot(0.5)
    night_energy_threshold: Share = hot(0.8)
    critical_threshold: Share = hot(0.15)
    job_arrival_buffer: int = hot(20, ge=0, le=300)
    chat_min_extroversion: float = hot(0.2, ge=-1.0, le=1.0)
