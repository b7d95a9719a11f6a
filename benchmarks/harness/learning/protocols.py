"""What is trained and how it is judged, world by world."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from diorama.worlds.tidebreak.config import SCRIPT_NAMES

MASKABLE_PPO: Final = "sb3-contrib MaskablePPO"
PUFFERLIB_PPO: Final = "PufferLib PPO"
HELD_OUT_SEED: Final = 41_000_000
"""First held-out seed: no training, validation or protocol of a world uses those that follow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arena:
    """A configuration in which policies are judged.

    Attributes:
        title: What follows the names of opponents in tables; empty for the configuration of the preset.
        config: Keys that differ from it.
        floor: What every training seed must score against every opponent; None without such a bar.
    """

    title: str = ""
    config: Mapping[str, object] = field(default_factory=dict)
    floor: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningProtocol:
    """One preset that is trained, and what its policy is held against.

    Attributes:
        name: Of the rows of the report.
        world: World id.
        preset: What is trained.
        metric: Score of an episode; None for the result against the opponents of the preset.
        metric_title: What the score is called in tables.
        further: Metrics of the same held-out episodes that stand beside the score; in worlds without opponents.
        scripts: Bots that play the same episodes.
        opponents: Scripts and bots of the world that are met; empty for those of the preset.
        arenas: Where they are met, or episodes are played; the score is the mean over all.
        bar: What every training seed must reach on average, beside beating the best script; None without a number.
        episodes: Held-out episodes, or battles per opponent.
        validation_episodes: Episodes by which points of the curve are judged and the best checkpoint is chosen.
        training_seeds: One run each.
        peers: Other trainers that get the same wall time.
        points: Checkpoints of a run that are judged, evenly spread.
        overrides: Settings over the preset.
    """

    name: str
    world: str
    preset: str
    metric: str | None
    metric_title: str
    scripts: tuple[str, ...]
    further: tuple[str, ...] = ()
    opponents: tuple[str, ...] = ()
    arenas: tuple[Arena, ...] = (Arena(),)
    bar: float | None = None
    episodes: int = 100
    validation_episodes: int = 20
    training_seeds: tuple[int, ...] = (0, 1, 2)
    peers: tuple[str, ...] = ()
    points: int = 8
    overrides: Mapping[str, object] = field(default_factory=dict)

    def quick(self, overrides: Mapping[str, object]) -> "LearningProtocol":
        """Return it so small that it only shows that every part works."""
        return replace(
            self,
            episodes=2,
            validation_episodes=2,
            training_seeds=(0, 1),
            points=2,
            scripts=self.scripts[:2],
            overrides={**self.overrides, **overrides},
        )


PROTOCOLS: Final = (
    LearningProtocol(
        name="prospector",
        world="prospector",
        preset="default",
        metric="net_profit",
        metric_title="net profit",
        further=("survival",),
        scripts=("explorer", "refiner", "prudent_hauler", "market_timer", "greedy_miner", "cash_out", "random_valid"),
        peers=(MASKABLE_PPO, PUFFERLIB_PPO),
    ),
    LearningProtocol(
        name="prospector, long",
        world="prospector",
        preset="long",
        metric="net_profit",
        metric_title="net profit",
        further=("survival",),
        scripts=("explorer", "refiner", "prudent_hauler", "market_timer", "greedy_miner", "cash_out", "random_valid"),
    ),
    LearningProtocol(
        name="tidebreak, corvette",
        world="tidebreak",
        preset="default",
        metric=None,
        metric_title="score against five scripts",
        scripts=("hunter", "kiter", "drifter", "aggressor", "evader", "idle"),
    ),
    LearningProtocol(
        name="tidebreak, corvette, long",
        world="tidebreak",
        preset="long",
        metric=None,
        metric_title="score against nine scripts and the hunter",
        scripts=("hunter", "kiter", "aggressor"),
        opponents=(*SCRIPT_NAMES, "hunter"),
        arenas=(Arena(floor=0.6), Arena(title="600 s", config={"time_limit_s": 600}, floor=0.5)),
        points=4,
    ),
    LearningProtocol(
        name="tidebreak, four against four",
        world="tidebreak",
        preset="team",
        metric=None,
        metric_title="score against five scripts",
        scripts=("hunter", "kiter", "drifter", "aggressor", "evader"),
        points=4,
    ),
    LearningProtocol(
        name="tidebreak, submarine",
        world="tidebreak",
        preset="submarine",
        metric=None,
        metric_title="score against the ambusher",
        scripts=("stalker", "ambusher", "idle"),
    ),
    LearningProtocol(
        name="townlet",
        world="townlet",
        preset="default",
        metric="return_town",
        metric_title="return of a citizen",
        scripts=("scripted", "random_valid", "idle"),
    ),
    LearningProtocol(
        name="gameboy, grid goal",
        world="gameboy",
        preset="default",
        metric="success",
        metric_title="success",
        scripts=("grid_goal_solver", "random"),
    ),
    LearningProtocol(
        name="morphogenesis, digits",
        world="morphogenesis",
        preset="default",
        metric="final_accuracy",
        metric_title="accuracy",
        scripts=("grow_three", "rules", "sower", "random", "wait"),
    ),
)

_TINY: Final[Mapping[str, object]] = {
    "steps": 4096,
    "windows": {"env_steps": 1024},
    "checkpoints": {"every_windows": 1},
    "copies": 32,
    "config": {"time_max": 200.0},
    "policy": {"arch": "mlp-32x32-tanh-v1"},
    "ppo": {"rollout_steps": 32, "num_minibatches": 2},
    "cloning": {"decisions": 2000, "copies": 16, "epochs": 1},
    "execution": {"lane_copies": 16},
}
_TINY_BATTLE: Final[Mapping[str, object]] = {
    "steps": 512,
    "windows": {"env_steps": 256},
    "checkpoints": {"every_windows": 1},
    "copies": 8,
    "config": {"time_limit_s": 60},
    "policy": {"arch": "mlp-32x32-tanh-v1"},
    "ppo": {"rollout_steps": 32, "num_minibatches": 2},
    "cloning": {"decisions": 500, "copies": 5, "epochs": 1},
    "self_play": {"scripts": ["idle", "drifter"]},
    "execution": {"lane_copies": 4},
}


def chosen_protocols(names: list[str] | None, *, is_quick: bool) -> list[LearningProtocol]:
    """Return the protocols of these names, or all; quick, one world with peers and one with opponents, in small."""
    chosen = [protocol for protocol in PROTOCOLS if names is None or protocol.name in names]
    if not is_quick:
        return chosen
    tiny = {"prospector": _TINY, "tidebreak, corvette": _TINY_BATTLE}
    return [protocol.quick(tiny[protocol.name]) for protocol in chosen if protocol.name in tiny]
