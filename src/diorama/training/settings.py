"""Everything that can be set about a training run, the trainer's own settings included."""

from collections.abc import Mapping
from typing import Annotated, Final

from pydantic import BeforeValidator, Field, JsonValue, NonNegativeInt, PositiveInt, model_validator
from pydantic_core import PydanticCustomError

from diorama.contracts.rounds import CollapseRule, EventLevel
from diorama.learn.settings import TrainerSettings
from diorama.learn.settings.imitation import AnnealSettings
from diorama.learn.settings.schedules import Settings
from diorama.learn.settings.selfplay import CurriculumSettings, SelfPlaySettings
from diorama.runs.metadata import TrainerBackend
from diorama.telemetry.wandb_sink import DEFAULT_PROJECT, WandbMode

_ALIASES = {"puffer_ppo": TrainerBackend.PPO.value}


def _backend(name: object) -> object:
    return _ALIASES.get(name, name) if isinstance(name, str) else name


class WindowSettings(Settings):
    """How the run is cut into windows of metrics."""

    env_steps: PositiveInt = Field(2000, description="env steps per window")
    flush_partial: bool = Field(
        False, description="whether the open window is written when the run ends; it always is where none has closed"
    )


class CheckpointSettings(Settings):
    """How often the policy is kept."""

    every_windows: PositiveInt = Field(1, description="windows per checkpoint")
    keep_newest: PositiveInt | None = Field(
        None, description="newest checkpoints that stay beside the best one; none = every checkpoint stays"
    )
    keep_clone: bool = Field(
        False, description="whether the policy as cloned, before PPO, is kept as checkpoints/clone.safetensors"
    )


class EvaluationSettings(Settings):
    """Episodes that are played from checkpoints beside the training."""

    replays_per_window: NonNegativeInt = Field(
        0, description="episodes per checkpoint, of which the best is kept as a replay"
    )
    max_steps_per_episode: PositiveInt = Field(512, description="decisions after which such an episode is cut off")
    include_info: bool = Field(True, description="whether frames carry the world's own details")
    deterministic: bool = Field(True, description="whether the likeliest option is taken instead of drawn")
    seed_offset: NonNegativeInt = Field(100_000, description="first episode seed, beyond the seed of the run")
    milestones: dict[str, tuple[float, ...]] = Field(
        default_factory=dict, description="thresholds that earn tags, by metric; others are the world's"
    )
    closing_episodes: NonNegativeInt = Field(
        20, description="episodes per contender of the closing score; 0 = no closing score"
    )
    validation_episodes: NonNegativeInt = Field(
        0, description="validation seeds that every checkpoint plays, to choose the best one; 0 = none is chosen"
    )
    validation_seed: NonNegativeInt = Field(
        70_000_000, description="first validation seed, away from those of training and of evaluations"
    )
    validation_metric: str | None = Field(
        None,
        description="what the best checkpoint is chosen by: a metric of which more is better, or return_PROFILE; None ="
        " the mean result against self_play.scripts where there are opponents, else the first such headline metric",
    )


class TelemetrySettings(Settings):
    """Where events go beside the run's own files."""

    jsonl: bool = Field(True, description="every event in telemetry/events.jsonl")
    ppo_ndjson: bool = Field(True, description="one record per policy update in telemetry/ppo.ndjson")
    tensorboard: bool = Field(False, description="scalars for TensorBoard in telemetry/tensorboard")
    world_events: EventLevel = Field(
        EventLevel.NORMAL,
        description="events that a world with rounds writes: off; minimal, without epochs and decisions; normal; or"
        " debug, which adds the gradients of every layer to anomalies. An anomaly raises the level for five epochs",
    )
    value_collapse_rule: CollapseRule = Field(
        CollapseRule.ROBUST, description="rule that detects a collapsed critic: robust or explained_variance"
    )
    wandb_mode: WandbMode = Field(WandbMode.DISABLED, description="disabled, offline or online")
    wandb_project: str = Field(DEFAULT_PROJECT, min_length=1, description="project at Weights & Biases")


class CourseSettings(Settings):
    """A walk along the world's overlays: the next is taken on when the metrics of two windows allow it."""

    first: str | None = Field(None, description="overlay the run begins with; None = the world's first")
    last: str | None = Field(None, description="overlay it ends with, and is judged in; None = the world's last")


class ReplaySettings(Settings):
    """Stored episodes that are learned from by PPO, besides rollouts."""

    dataset: str = Field(
        description="folder of a dataset; before each rollout, an update from as many of its decisions"
    )


class TrainingSettings(TrainerSettings):
    """One training run."""

    world: str = Field(description="world id")
    config: dict[str, JsonValue] = Field(default_factory=dict, description="the world's own configuration")
    overlay: str | None = Field(
        None, description="named overlay of the world's curriculum, laid under the configuration"
    )
    backend: Annotated[TrainerBackend, BeforeValidator(_backend)] = Field(
        TrainerBackend.PPO, description="ppo learns, random only plays"
    )
    steps: PositiveInt = Field(20_000, description="env steps of the whole run")
    copies: PositiveInt = Field(8, description="copies of the world that step together")
    seed: int = Field(0, description="of everything that is drawn")
    tier: str = Field("auto", pattern="^(auto|reference|fast)$", description="auto, reference or fast")
    windows: WindowSettings = Field(default_factory=WindowSettings, description="window metrics")
    checkpoints: CheckpointSettings = Field(default_factory=CheckpointSettings, description="checkpoints")
    evaluation: EvaluationSettings = Field(default_factory=EvaluationSettings, description="replays, closing score")
    telemetry: TelemetrySettings = Field(default_factory=TelemetrySettings, description="sinks")
    start: str | None = Field(
        None,
        description="run directory, checkpoint or `champion/WORLD` whose policy the training starts from, instead of"
        " imitating first",
    )
    self_play: SelfPlaySettings | None = Field(None, description="scripts and past policies as opponents")
    curriculum: CurriculumSettings | None = Field(None, description="the world's stages, from easy to hard")
    course: CourseSettings | None = Field(None, description="the world's overlays, from easy to hard")
    anneal: AnnealSettings | None = Field(None, description="stages of handing over from the controller to the policy")
    replay: ReplaySettings | None = Field(None, description="stored episodes to learn from between rollouts")
    schedule_steps: PositiveInt | None = Field(
        None, description="env steps that schedules over the whole run are stretched to; set where there are any"
    )

    @model_validator(mode="after")
    def _check_backend(self) -> "TrainingSettings":
        if self.cloning is not None and self.backend is TrainerBackend.RANDOM:
            raise PydanticCustomError(
                "cloning_needs_ppo",
                "cloning needs the backend ppo, because random learns nothing; cloning=null leaves it out",
            )
        if self.kickstarting is not None and self.backend is TrainerBackend.RANDOM:
            raise PydanticCustomError(
                "kickstarting_needs_ppo", "kickstarting needs the backend ppo; random learns nothing"
            )
        if self.start is not None and self.backend is TrainerBackend.RANDOM:
            raise PydanticCustomError("start_needs_ppo", "start needs the backend ppo; random learns nothing")
        if self.has_matches and self.backend is TrainerBackend.RANDOM:
            raise PydanticCustomError(
                "matches_need_ppo", "self_play and curriculum need the backend ppo; random learns nothing"
            )
        return self

    @model_validator(mode="after")
    def _check_sections(self) -> "TrainingSettings":
        sections = {"course": self.course, "anneal": self.anneal, "replay": self.replay, "starts": self.starts}
        given = [name for name, section in sections.items() if section is not None]
        if given and self.backend is TrainerBackend.RANDOM:
            raise PydanticCustomError(
                "section_needs_ppo", "{section} needs the backend ppo; random learns nothing", {"section": given[0]}
            )
        if given and self.has_matches:
            raise PydanticCustomError(
                "section_excludes_matches",
                "{section} cannot be combined with self_play or curriculum",
                {"section": given[0]},
            )
        if self.course is not None and self.overlay is not None:
            raise PydanticCustomError(
                "overlay_excludes_course",
                "overlay stays the same and course moves on; name the first overlay in course.first instead",
            )
        return self

    @property
    def has_matches(self) -> bool:
        """Whether opponents or stages change from episode to episode."""
        return self.self_play is not None or self.curriculum is not None

    @property
    def trainer(self) -> TrainerSettings:
        """The part that the trainer knows."""
        return TrainerSettings(**{name: getattr(self, name) for name in TrainerSettings.model_fields})


RUN_SHARE: Final = "run_share"  # in place of a ramp's env_steps: its length as a share of the whole run
UPDATES: Final = "updates"  # likewise: its length in updates
ENV_STEPS: Final = "env_steps"


def deep_merge(lower: Mapping[str, object], upper: Mapping[str, object]) -> dict[str, object]:
    """Return nested settings with others over them, key by key; neither is changed."""
    merged: dict[str, object] = {}
    _merge_into(merged, lower)
    _merge_into(merged, upper)
    return merged


def _merge_into(lower: dict[str, object], upper: Mapping[str, object]) -> None:
    for key, value in upper.items():
        below = lower.get(key)
        if isinstance(value, Mapping) and isinstance(below, dict) and not _is_ramp(value):
            _merge_into(below, value)
        elif isinstance(value, Mapping):
            fresh: dict[str, object] = {}
            _merge_into(fresh, value)
            lower[key] = fresh
        else:
            lower[key] = value


def _is_ramp(value: Mapping[str, object]) -> bool:
    # A whole schedule replaces another: their keys exclude one another.
    return RUN_SHARE in value or ("start" in value and (UPDATES in value or ENV_STEPS in value))
