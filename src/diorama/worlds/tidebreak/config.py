"""The configuration of `tidebreak`: which battle, who plays, what is shown and what is paid."""

from enum import StrEnum
from typing import Annotated, Final, Self

from pydantic import Field, JsonValue, model_validator

from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import DioramaError
from diorama.contracts.values import canonical_json
from diorama.worlds.tidebreak.limits import UNITS_MAX
from diorama.worlds.tidebreak.resolve import ResolvedPackage, read_package, read_resolved, resolve
from diorama.worlds.tidebreak.reward_weights import DEFAULT_TEAM_SHARE, Component, RewardPreset, weights_of
from diorama.worlds.tidebreak.scenarios.named import scenario_names
from diorama.worlds.tidebreak.scenarios.stages import STAGES

DEFAULT_STAGE: Final = 2
SCRIPT_NAMES: Final = (
    "idle",
    "drifter",
    "aggressor",
    "kiter",
    "ambusher",
    "escort",
    "evader",
    "boarder",
    "auto",
)
_AUTO: Final = "auto"
DECISION_TICKS_MAX: Final = 60
_LARGEST_WEIGHT: Final = 1e9  # rewards are stored as float32, and stay far from its end
_SCRIPT_PATTERN: Final = rf"^({'|'.join(SCRIPT_NAMES)})(@(0(\.\d+)?|1(\.0+)?))?$"

Script = Annotated[str, Field(pattern=_SCRIPT_PATTERN)]


class ObservationProfile(StrEnum):
    """How much of a unit's knowledge is shown."""

    V1 = "v1"
    COMPACT = "compact"


class Played(StrEnum):
    """Whose ships fill the seats."""

    SIDE = "side"
    ALL = "all"


class TidebreakConfig(WorldConfig):
    """What may differ from one arena to another; one of `stage`, `scenario` and `package` says what is fought."""

    stage: int | None = Field(
        default=None, ge=1, le=len(STAGES), description="Curriculum stage to draw battles from; 2 if nothing is given."
    )
    earlier_stages: bool = Field(default=False, description="Draw a fifth of the episodes from earlier stages.")
    time_limit_s: int | None = Field(
        default=None,
        ge=10,
        le=7_200,
        description="Seconds until a drawn battle ends undecided; the stage's if not given.",
    )
    scenario: str | None = Field(default=None, description="Stored scenario to fight, with other luck every episode.")
    package: dict[str, JsonValue] | None = Field(
        default=None, description="Battle package, or resolved package, to fight with other luck every episode."
    )
    seats: int = Field(default=1, ge=1, le=UNITS_MAX, description="Rows per copy; seats nobody fills are never alive.")
    played: Played = Field(default=Played.SIDE, description="Whose ships fill the seats, in the order of the package.")
    side: str | None = Field(
        default=None, description="Team of the seats; the drawn one in a stage, the first elsewhere unless given."
    )
    ships: tuple[str, ...] = Field(default=(), description="Ships of the seats by name, instead of `played`.")
    opponents: Script | None = Field(
        default=None, description="Script of the other teams; the stage's, or `auto`, unless given."
    )
    teammates: Script = Field(default=_AUTO, description="Script of ships of the own side that have no seat.")
    controllers: dict[str, Script] = Field(
        default_factory=dict, description="Scripts of ships by name; such a ship takes no seat."
    )
    observation: ObservationProfile = Field(default=ObservationProfile.V1, description="Observation profile.")
    reward: RewardPreset = Field(default=RewardPreset.DUEL, description="Named weights of the reward's components.")
    reward_weights: dict[Component, Annotated[float, Field(ge=-_LARGEST_WEIGHT, le=_LARGEST_WEIGHT)]] = Field(
        default_factory=dict, description="Weights that differ from the named ones."
    )
    team_share: float | None = Field(
        default=None, ge=0.0, le=1.0, description="Share of the team's mean in a reward; the stage's, or 0.3."
    )
    credit_dead: bool = Field(
        default=True, description="Units that are out wait for the end of the battle and share its outcome."
    )
    shaping_discount: float | None = Field(
        default=None,
        ge=0.0,
        le=1.0,
        description="Adds potential-based shaping on the remaining-cost difference with this discount.",
    )
    decision_ticks: int = Field(
        default=1,
        ge=1,
        le=DECISION_TICKS_MAX,
        description="Ticks for which a decision is repeated, unless the battle ends before.",
        # Absent at its default, so that hashes, snapshots and replays of single ticks stay what they were.
        exclude_if=lambda ticks: ticks == 1,
    )

    @model_validator(mode="before")
    @classmethod
    def _default_battle(cls, given: object) -> object:
        if isinstance(given, dict) and all(given.get(key) is None for key in ("stage", "scenario", "package")):
            return {**given, "stage": DEFAULT_STAGE}
        return given

    @model_validator(mode="after")
    def _check(self) -> Self:
        if sum(value is not None for value in (self.stage, self.scenario, self.package)) > 1:
            raise ValueError("give only one of stage, scenario and package")
        if self.scenario is not None and self.scenario not in scenario_names():
            raise ValueError(f"no scenario is called {self.scenario!r}; there are: {', '.join(scenario_names())}")
        if self.package is not None:
            self.resolved_package()
        if self.earlier_stages and self.stage is None:
            raise ValueError("earlier_stages needs a stage")
        if self.time_limit_s is not None and self.stage is None:
            raise ValueError("time_limit_s needs a stage; a scenario or a package has a limit of its own")
        if len(self.ships) > self.seats:
            raise ValueError(f"{len(self.ships)} ships are named for {self.seats} seats")
        if len(set(self.ships)) < len(self.ships):
            raise ValueError("a ship is named twice")
        if torn := sorted(set(self.ships) & set(self.controllers)):
            raise ValueError(f"{torn[0]!r} cannot have both a seat and a script")
        return self

    def resolved_package(self) -> ResolvedPackage | None:
        """Return the given package ready to be fought, None if none is given.

        Raises:
            ValueError: It is neither a battle package nor a resolved one, with everything that is wrong.
        """
        if self.package is None:
            return None
        document = canonical_json(self.package).encode()
        try:
            if self.package.get("format") is not None:
                return read_resolved(document)
            return resolve(read_package(document).package)
        except DioramaError as error:
            raise ValueError(str(error)) from None

    @property
    def weights(self) -> tuple[float, ...]:
        """Weight of each reward component, in their order."""
        return weights_of(self.reward, self.reward_weights)

    @property
    def team_weight(self) -> float:
        """Share of the team's mean in a reward."""
        if self.team_share is not None:
            return self.team_share
        return DEFAULT_TEAM_SHARE if self.stage is None else STAGES[self.stage - 1].team_share

    @property
    def opponent_script(self) -> str:
        """Script of the other teams; the hardest of the stage that needs no pool of policies."""
        if self.opponents is not None:
            return self.opponents
        return _AUTO if self.stage is None else STAGES[self.stage - 1].hardest_script
