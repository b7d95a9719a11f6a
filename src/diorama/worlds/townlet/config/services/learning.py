"""`stability`, `training` and `ppo`."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from diorama.contracts.live.settings.promotion import Promotion
from diorama.contracts.sections import Section, fixed, hot
from diorama.worlds.townlet.config.features import SocialRewardStage


class StarvationRule(Section):
    """When hunger counts as an incident.

    Attributes:
        window_ticks: Length of the window.
        max_incidents: Incidents in it that are tolerated.
        hunger_threshold: Hunger at or below which somebody starves.
        min_duration_ticks: Ticks in a row that make an incident.
        min_samples: Samples before anything is judged.
    """

    window_ticks: int = hot(1000, ge=1, le=1000000)
    max_incidents: int = hot(0, ge=0, le=1000)
    hunger_threshold: float = hot(0.05, ge=0.0, le=1.0)
    min_duration_ticks: int = hot(30, ge=1, le=100000)
    min_samples: int = hot(1, ge=0, le=1000000)


class RewardVarianceRule(Section):
    """When rewards scatter too much.

    Attributes:
        window_ticks: Length of the window.
        max_variance: Variance that is tolerated.
        min_samples: Samples before anything is judged.
    """

    window_ticks: int = hot(1000, ge=1, le=1000000)
    max_variance: float = hot(0.01, ge=0.0, le=1e6)
    min_samples: int = hot(20, ge=0, le=1000000)


class OptionThrashRule(Section):
    """When citizens change their minds too often.

    Attributes:
        window_ticks: Length of the window.
        max_switch_rate: Share of begun options dropped before their time that is tolerated.
        min_samples: Samples before anything is judged.
    """

    window_ticks: int = hot(600, ge=1, le=1000000)
    max_switch_rate: float = hot(0.25, ge=0.0, le=1.0)
    min_samples: int = hot(10, ge=0, le=1000000)


class Stability(Section):
    """Thresholds of the stability monitor."""

    affordance_fail_threshold: int = hot(5, ge=0, le=100, description="Per tick.")
    lateness_threshold: int = hot(3, ge=0, le=100, description="`job_late` events per 1000 ticks.")
    starvation: StarvationRule = Field(default_factory=StarvationRule)
    reward_variance: RewardVarianceRule = Field(default_factory=RewardVarianceRule)
    option_thrash: OptionThrashRule = Field(default_factory=OptionThrashRule)
    queue_pressure_limit: int = hot(5, ge=0, le=10000, description="Per 50 ticks.")
    rivalry_spike_limit: int = hot(5, ge=0, le=10000, description="Per 50 ticks.")
    promotion: Promotion = Field(default_factory=Promotion)


class Cloning(Section):
    """Behavior cloning.

    Attributes:
        manifest: Not used: a training takes it from its own settings.
        learning_rate: Not used: a training takes it from its own settings.
        batch_size: Not used: a training takes it from its own settings.
        epochs: Not used: a training takes it from its own settings.
        weight_decay: Not used: a training takes it from its own settings.
        value_weight: Not used: a training takes it from its own settings.
        holdout_fraction: Not used: a training takes it from its own settings.
        device: Not used: a training takes it from its own settings.
    """

    manifest: str | None = hot(None)
    learning_rate: float = hot(1e-3, gt=0.0, le=1.0)
    batch_size: int = hot(64, ge=1, le=1000000)
    epochs: int = hot(10, ge=1, le=100000)
    weight_decay: float = hot(0.0, ge=0.0, le=1.0)
    value_weight: float = hot(0.5, ge=0.0, le=100.0)
    holdout_fraction: float = hot(0.1, ge=0.0, lt=1.0)
    device: str = hot("cpu", min_length=1)


class ScheduledStage(Section):
    """The social reward stage from a training cycle on.

    Attributes:
        cycle: Training cycle from which it holds.
        stage: Stage of the social rewards.
    """

    cycle: int = hot(ge=0, le=1000000)
    stage: SocialRewardStage = hot()


class AnnealStage(Section):
    """One stage of the anneal schedule.

    Attributes:
        cycle: Place in the schedule.
        mode: Imitation, or PPO.
        epochs: Passes over the dataset, or cycles of rollout and update.
        bc_weight: Weight of the cloning loss beside PPO's.
        ratio: Share of decisions the policy takes; between start and end unless given.
    """

    cycle: int = hot(ge=0, le=1000000)
    mode: Literal["bc", "ppo"] = hot()
    epochs: int = hot(1, ge=1, le=100000)
    bc_weight: float = hot(1.0, ge=0.0, le=1.0)
    ratio: float | None = hot(None, ge=0.0, le=1.0)


class Training(Section):
    """The training harness.

    Attributes:
        source: Not used: a training takes it from its own settings.
        telemetry_version: Not used: a training takes it from its own settings.
        rollout_ticks: Not used: a training takes it from its own settings.
        num_towns: Not used: a training takes it from its own settings.
        replay_manifest: Not used: a training takes it from its own settings.
        social_reward_stage_override: Stage of the social rewards, whatever the schedule says.
        anneal_accuracy_threshold: Least agreement with the teacher after a stage of imitation.
        anneal_start_ratio: Share of the first stage by PPO that has none.
        anneal_end_ratio: Share of the last stage by PPO that has none.
        anneal_freeze_drop: Fall of a key figure that freezes the share.
        max_log_entries: Not used: a training takes it from its own settings.
    """

    source: Literal["replay", "rollout", "mixed", "bc", "anneal"] = hot("rollout")
    telemetry_version: float = hot(1.1)
    rollout_ticks: int = hot(128, ge=0, le=100000)
    num_towns: int = hot(8, ge=1, le=4096)
    replay_manifest: str | None = hot(None)
    social_reward_stage_override: SocialRewardStage | None = hot(None)
    social_reward_schedule: Annotated[tuple[ScheduledStage, ...], Field(strict=False)] = hot(())
    bc: Cloning = Field(default_factory=Cloning)
    anneal_schedule: Annotated[tuple[AnnealStage, ...], Field(strict=False)] = hot(())
    anneal_accuracy_threshold: float = hot(0.9, ge=0.0, le=1.0)
    anneal_start_ratio: float = hot(0.2, ge=0.0, le=1.0)
    anneal_end_ratio: float = hot(1.0, ge=0.0, le=1.0)
    anneal_freeze_drop: float = hot(0.30, ge=0.0, le=1.0)
    max_log_entries: int | None = hot(10000, ge=1, le=100000000)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.telemetry_version not in (1.0, 1.1):
            raise ValueError(f"telemetry_version {self.telemetry_version} is unknown; use 1.0 or 1.1")
        return self


class Ppo(Section):
    """PPO; its discount also shapes the rewards.

    Attributes:
        learning_rate: Not used: a training takes it from its own settings.
        clip_param: Not used: a training takes it from its own settings.
        value_loss_coef: Not used: a training takes it from its own settings.
        entropy_coef: Not used: a training takes it from its own settings.
        num_epochs: Not used: a training takes it from its own settings.
        mini_batch_size: Not used: a training takes it from its own settings.
        gae_lambda: Not used: a training takes it from its own settings.
        max_grad_norm: Not used: a training takes it from its own settings.
        value_clip: Not used: a training takes it from its own settings.
        advantage_normalization: Not used: a training takes it from its own settings.
        recurrent: Not used: a training takes it from its own settings.
        gamma: Discount under which rewards are shaped.
    """

    learning_rate: float = hot(3e-4, gt=0.0, le=1.0)
    clip_param: float = hot(0.2, gt=0.0, le=1.0)
    value_loss_coef: float = hot(0.5, ge=0.0, le=100.0)
    entropy_coef: float = hot(0.01, ge=0.0, le=10.0)
    num_epochs: int = hot(4, ge=1, le=1000)
    mini_batch_size: int = hot(4096, ge=1, le=10000000)
    gae_lambda: float = hot(0.95, ge=0.0, le=1.0)
    gamma: float = fixed(0.99, ge=0.0, le=1.0)
    max_grad_norm: float = hot(0.5, gt=0.0, le=1000.0)
    value_clip: float = hot(0.2, ge=0.0, le=1000.0)
    advantage_normalization: bool = hot(True)
    recurrent: bool = hot(True)
