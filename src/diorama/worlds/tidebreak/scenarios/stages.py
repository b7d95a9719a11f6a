"""The curriculum: twelve stages, from one ship that lies still to everything at once."""

from dataclasses import dataclass
from typing import Final

from diorama.contracts.errors import UnknownName
from diorama.numerics import clamp
from diorama.rng.keyed import draw, pick, u01
from diorama.worlds.tidebreak.resolve.streams import SCENARIO_STREAM
from diorama.worlds.tidebreak.scenarios.draws import Purpose

EARLIER_STAGE_SHARE: Final = 0.2
POOL: Final = "pool"
ANY_SCRIPT: Final = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One step of the curriculum.

    Attributes:
        number: From 1.
        name: For people.
        opponents: Scripts (`pool` for the self-play pool) in the order they are met as the stage is learned.
        promote_at: Win rate over the last 200 episodes that opens the next stage; None for the last.
        time_limit_s: Of its battles.
        team_share: Weight of the team's mean in the reward.
    """

    number: int
    name: str
    opponents: tuple[str, ...]
    promote_at: float | None
    time_limit_s: float
    team_share: float = 0.3

    def opponent(self, progress: float) -> str:
        """Return whom to meet after this share (0 to 1) of what it takes to be promoted."""
        last = len(self.opponents) - 1
        return self.opponents[int(clamp(progress * float(last + 1), 0.0, float(last)))]

    @property
    def hardest_script(self) -> str:
        """The last opponent that needs no pool of policies."""
        scripts = [name for name in self.opponents if name != POOL]
        return scripts[-1] if scripts else ANY_SCRIPT


STAGES: Final = (
    Stage(number=1, name="first contact", opponents=("idle", "drifter@0.5"), promote_at=0.90, time_limit_s=300.0),
    Stage(
        number=2,
        name="duel",
        opponents=("aggressor@0.6", "aggressor@0.7", "aggressor@0.8", "aggressor@0.9", "aggressor"),
        promote_at=0.65,
        time_limit_s=600.0,
    ),
    Stage(number=3, name="the dive", opponents=("auto",), promote_at=0.60, time_limit_s=1200.0),
    Stage(number=4, name="water moves", opponents=("auto",), promote_at=0.60, time_limit_s=900.0),
    Stage(number=5, name="weather", opponents=("auto",), promote_at=0.58, time_limit_s=900.0),
    Stage(number=6, name="fog of war", opponents=("auto",), promote_at=0.55, time_limit_s=900.0),
    Stage(number=7, name="pair", opponents=("auto",), promote_at=0.55, time_limit_s=900.0, team_share=0.5),
    Stage(number=8, name="convoy", opponents=("auto",), promote_at=0.55, time_limit_s=1500.0),
    Stage(number=9, name="asymmetric", opponents=("auto", "pool"), promote_at=0.55, time_limit_s=1200.0),
    Stage(number=10, name="capital", opponents=("pool",), promote_at=0.52, time_limit_s=1500.0),
    Stage(number=11, name="boarding", opponents=("pool",), promote_at=0.50, time_limit_s=2400.0),
    Stage(number=12, name="open", opponents=("pool",), promote_at=None, time_limit_s=1500.0),
)


def stage(number: int) -> Stage:
    """Return a stage by its number.

    Raises:
        UnknownName: There is no such stage.
    """
    if not 1 <= number <= len(STAGES):
        raise UnknownName.among("stage", str(number), (str(entry.number) for entry in STAGES))
    return STAGES[number - 1]


def episode_stage(current: int, seed: int) -> int:
    """Return the stage an episode is drawn from: the current one, or in a fifth of the episodes an earlier one."""
    keys = (SCENARIO_STREAM, 0, stage(current).number, 0)
    if current == 1 or u01(draw(seed, *keys, Purpose.REPEAT)) >= EARLIER_STAGE_SHARE:
        return current
    return 1 + pick(draw(seed, *keys, Purpose.STAGE), current - 1)
