"""Settings of self-play and of the curriculum."""

from pydantic import Field, PositiveInt

from diorama.learn.settings.schedules import Settings


class SelfPlaySettings(Settings):
    """Self-play against scripts of the world and frozen past policies."""

    scripts: tuple[str, ...] | None = Field(
        None,
        description="opponents by name: scripts and bots of the world, and `champion/WORLD`; None = all scripts",
    )
    pool_every: PositiveInt | None = Field(
        50, description="updates between snapshots of the policy for the pool; None = scripts alone"
    )
    pool_size: PositiveInt = Field(
        12, description="snapshots in the pool; above this the one beaten most often retires"
    )
    self_share: float = Field(0.3, ge=0.0, le=1.0, description="share of matches against the current policy")
    rated_matches: PositiveInt = Field(
        100, description="latest matches that the win rate against an opponent is computed from"
    )


class CurriculumSettings(Settings):
    """Promotion and demotion of the learner between the stages of the world."""

    first: PositiveInt = Field(1, description="number of the first stage")
    last: PositiveInt | None = Field(None, description="number of the last stage; None = the world's last")
    earlier_stages: float = Field(0.2, ge=0.0, lt=1.0, description="share of episodes drawn from earlier stages")
    promotion_episodes: PositiveInt = Field(
        200, description="episodes whose win rate is compared with the stage's threshold"
    )
    demotion_episodes: PositiveInt = Field(100, description="episodes whose win rate can demote the learner")
    demotion_rate: float = Field(0.3, ge=0.0, le=1.0, description="win rate below which the learner is demoted")
