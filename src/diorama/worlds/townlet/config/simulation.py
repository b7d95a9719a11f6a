"""`SimulationConfig`: the whole configuration of a town."""

from typing import Annotated, Any, Final, Self

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    field_serializer,
    model_validator,
)

from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import ConfigError
from diorama.contracts.live.settings.operation import Console, ConsoleAuth, Runtime, Snapshot
from diorama.contracts.live.settings.telemetry import Telemetry
from diorama.contracts.sections import fixed
from diorama.worlds.townlet.config.checks import contradictions
from diorama.worlds.townlet.config.economy import Economy
from diorama.worlds.townlet.config.employment import Employment, Job
from diorama.worlds.townlet.config.features import Features
from diorama.worlds.townlet.config.happenings import Affordances, Lifecycle, Perturbations
from diorama.worlds.townlet.config.ordered import list_of, mapping_of
from diorama.worlds.townlet.config.policy import Behavior, EmbeddingAllocator, Observations, PolicyRuntime
from diorama.worlds.townlet.config.rewards import Curiosity, Rewards, Shaping
from diorama.worlds.townlet.config.services.learning import Ppo, Stability, Training
from diorama.worlds.townlet.config.social import Conflict, Personalities, QueueFairness, Relationships
from diorama.worlds.townlet.config.world import WorldSection
from diorama.worlds.townlet.data.reading import shipped_jobs

JobId = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,31}$")]
_LABEL: Final = r"^[A-Za-z0-9._-]{1,40}$"
_LABEL_MEANS: Final = "name of the configuration, stamped on everything it makes"


class ObservationVariantMismatch(ConfigError):
    """A policy was made for another observation than the one this town builds."""


def _canonical_jobs() -> dict[str, Job]:
    return {name: Job.model_validate(document) for name, document in shipped_jobs().items()}


class SimulationConfig(WorldConfig):
    """One town's settings; `config_id`, `features` and `rewards` must be given."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    config_id: str = fixed(pattern=_LABEL, description=_LABEL_MEANS)
    seed: int = fixed(
        1337, ge=0, le=2**63 - 1, description="seed of a town that is opened by itself; a batch gives its own"
    )
    world: WorldSection = Field(default_factory=WorldSection)
    features: Features = Field()
    rewards: Rewards = Field()
    shaping: Shaping = Field(default_factory=Shaping)
    curiosity: Curiosity = Field(default_factory=Curiosity)
    economy: Economy = Field(default_factory=Economy)
    jobs: Annotated[dict[JobId, Job], BeforeValidator(mapping_of)] = fixed(
        default_factory=_canonical_jobs, max_length=8, description="In the order in which they are given out."
    )
    employment: Employment = Field(default_factory=Employment)
    queue_fairness: QueueFairness = Field(default_factory=QueueFairness)
    conflict: Conflict = Field(default_factory=Conflict)
    relationships: Relationships = Field(default_factory=Relationships)
    personalities: Personalities = Field(default_factory=Personalities)
    embedding_allocator: EmbeddingAllocator = Field(default_factory=EmbeddingAllocator)
    observations: Observations = Field(default_factory=Observations)
    policy_runtime: PolicyRuntime = Field(default_factory=PolicyRuntime)
    behavior: Behavior = Field(default_factory=Behavior)
    affordances: Affordances = Field(default_factory=Affordances)
    perturbations: Perturbations = Field(default_factory=Perturbations)
    lifecycle: Lifecycle = Field(default_factory=Lifecycle)
    stability: Stability = Field(default_factory=Stability)
    training: Training = Field(default_factory=Training)
    ppo: Ppo = Field(default_factory=Ppo)
    telemetry: Telemetry = Field(default_factory=Telemetry)
    console_auth: ConsoleAuth = Field(default_factory=ConsoleAuth)
    console: Console = Field(default_factory=Console)
    snapshot: Snapshot = Field(default_factory=Snapshot)
    runtime: Runtime = Field(default_factory=Runtime)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if problems := contradictions(self):
            raise ValueError("; ".join(problems))
        return self

    @field_serializer("jobs", mode="wrap", when_used="json")
    def _dump_jobs(self, _: object, dump: SerializerFunctionWrapHandler) -> list[dict[str, object]]:
        documents: Any = dump(self.jobs)
        return list_of(documents)

    def require_observation_variant(self, expected: str) -> None:
        """Refuse a policy that was made for another observation.

        Raises:
            ObservationVariantMismatch: `expected` is not the variant this town builds.
        """
        built = self.features.systems.observations
        if expected != built:
            raise ObservationVariantMismatch(f"the policy reads the variant {expected!r}; this town builds {built!r}")


class TownletConfig(SimulationConfig):
    """A town whose defaults stand without a file: what `diorama.make` builds when it is told nothing."""

    config_id: str = fixed("townlet", pattern=_LABEL, description=_LABEL_MEANS)
    features: Features = Field(default_factory=Features)
    rewards: Rewards = Field(default_factory=Rewards)
    episode_ticks: int = fixed(10000, ge=1, le=10000000, description="Length of an episode, in a batch.")
