"""What the tour shows: of every world a scene that explains itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from diorama.contracts.config import parse_config
from diorama.contracts.errors import ConfigError
from diorama.operate.live.deciding.opening import default_policy
from diorama.worlds.registry import load_world

Part = tuple[float, float, float, float]
_WHOLE: Final[Part] = (0.0, 0.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One stop of the tour.

    Attributes:
        world: Its id.
        words: What one sees, in a sentence.
        bot: Who plays where the champion of the world does not fit, or there is none.
        go_on: The command to go on with.
        config: Of the world.
        seed: Of the first episode.
        unseen: Decisions that go by before something can be seen.
        decisions_per_second: Pace; a world that takes longer sets its own.
        still_after: Seen decisions after which it stands still for somebody without a terminal.
        part: What is shown of the picture, left, top, right and bottom as shares: what is written beside the scene is
            too small for a terminal.
    """

    world: str
    words: str
    bot: str
    go_on: str
    config: Mapping[str, object] = field(default_factory=dict)
    seed: int = 7
    unseen: int = 0
    decisions_per_second: float = 6.0
    still_after: int = 12
    part: Part = _WHOLE


_SCENES: Final = (
    Scene(
        world="prospector",
        words="A pilot scans and mines asteroids, and sells the ore before fuel, heat or pirates end the trip.",
        bot="prudent_hauler",
        go_on="diorama train prospector --preset quick",
        decisions_per_second=4.0,
        part=(0.0, 0.0, 360.0 / 492.0, 1.0),
    ),
    Scene(
        world="tidebreak",
        words="Two fleets fight over three depth layers, and each knows only what its sensors tell.",
        bot="auto",
        go_on="diorama tidebreak fight fleet_action",
        config={"scenario": "fleet_action", "played": "all", "seats": 16},
        unseen=160,
        part=(0.1, 0.08, 0.9, 0.88),
        decisions_per_second=12.0,
        still_after=80,
    ),
    Scene(
        world="townlet",
        words="Citizens get up, eat, work, queue and quarrel, each after their own needs.",
        bot="scripted",
        go_on="diorama live townlet",
        unseen=260,  # the night
        decisions_per_second=12.0,
        still_after=120,
    ),
    Scene(
        world="gameboy",
        words="One of thousands of Game Boys that can run at once: a bot fetches a key and opens the door.",
        bot="keydoor_solver",
        go_on="diorama gameboy play KEYDOOR",
        config={"rom": "KEYDOOR", "kind": "gb_tasks"},
        decisions_per_second=4.0,
        still_after=8,
    ),
    Scene(
        world="morphogenesis",
        words="A network grows modules while it trains: blue is its accuracy, gray that of a twin that never grows.",
        bot="grow_three",
        go_on="diorama morphogenesis duel",
        config={"train_batches_per_epoch": 8, "batch_size": 32, "val_subset": 120, "max_epochs": 28},
        decisions_per_second=2.0,
        still_after=16,
        part=(0.0, 0.15, 1.0, 1.0),
    ),
)


def scenes_of(world_ids: Sequence[str] | None) -> tuple[Scene, ...]:
    """Return the stops of a tour through some worlds, in their order; through our own where none is named.

    Raises:
        UnknownName: There is no such world.
        ConfigError: Nobody can play it.
    """
    known = {scene.world: scene for scene in _SCENES}
    return _SCENES if not world_ids else tuple(known.get(name) or _scene_of(name) for name in world_ids)


def _scene_of(world_id: str) -> Scene:
    """Return a scene of a plug-in's world from what it says of itself."""
    world = load_world(world_id)
    if not world.bots:
        raise ConfigError(f"{world_id!r} has no bot that could play it")
    bot = default_policy(world, parse_config(world.id, world.config_type, {}))
    return Scene(world=world_id, words=world.summary, bot=bot, go_on=f"diorama rollout {world_id} --bot {bot}")
