"""Settings of self-play and of its curriculum."""

from pydantic import Field, PositiveInt

from diorama.learn.settings.schedules import Settings


class SelfPlaySettings(Settings):
    """Opponents that get better: scripts of the world and frozen past policies."""

    scripts: tuple[str, ...] | None = Field(None, description="scripts to meet; None = every one of the world")
    pool_every: PositiveInt | None = Field(
        50, description="updates between snapshots of the policy that enter the pool; None = scripts alone"
    )
    pool_size: PositiveInt = Field(12, description="snapshots kept; beyond them the one beaten most often retires")
    self_share: float = Field(0.3, ge=0.0, le=1.0, description="share of matches against the policy as it stands")
    rated_matches: PositiveInt = Field(100, description="latest matches the win rate against an opponent is taken of")


class CurriculumSettings(Settings):
    """How the learner moves through the stages of the world."""

    first: PositiveInt = Field(1, description="number of the stage the run begins with")
    last: PositiveInt | None = Field(None, description="number of the last stage; None = the world's last")
    earlier_stages: float = Field(0.2, ge=0.0, lt=1.0, description="share of episodes drawn from earlier stages")
    promotion_episodes: PositiveInt = Field(200, description="episodes whose win rate is held against the threshold")
    demotion_episodes: PositiveInt = Field(100, description="episodes after which a low win rate leads back")
    demotion_rate: float = Field(0.3, ge=0.0, le=1.0, description="win rate under which the learner goes back")
