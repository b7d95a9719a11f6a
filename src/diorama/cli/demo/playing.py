"""Lets a champion or a bot play a scene, moment after moment, episode after episode."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import count, islice
from typing import TYPE_CHECKING

from diorama.cli.demo.scenes import Scene
from diorama.cli.narration import value_words
from diorama.contracts.errors import UnknownName
from diorama.engine.players import Contender, bot_contender, let_see
from diorama.engine.venue import Venue, open_venue
from diorama.operate.live.deciding.opening import choose_champion
from diorama.runs.champions import open_champion
from diorama.runs.replays.scene import Moment
from diorama.runs.replays.scene import Scene as Stage
from diorama.training.champions.contender import load_contender

if TYPE_CHECKING:
    from collections.abc import Generator

    from PIL.Image import Image


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A moment of a scene; without a picture where the world draws none."""

    image: "Image | None"
    figures: str
    events: tuple[str, ...]


def play(scene: Scene, *, skipped: int = 0) -> "Generator[Shown]":
    """Yield moments for as long as they are asked for; the first `skipped` are played and not drawn.

    Raises:
        UnknownName: There is no such world.
        MissingExtra: The world needs a package that is not installed.
    """
    venue = open_venue(scene.world, scene.config, threads=1)
    contender = _contender(venue, scene)
    for seed in count(scene.seed):
        with closing(Stage(venue, seed)) as stage:
            for moment in islice(_episode(stage, contender), scene.unseen, None):
                if skipped > 0:
                    skipped -= 1
                else:
                    yield _shown(venue, stage, moment)


def player_of(scene: Scene) -> str:
    """Return who plays a scene: the champion of its world where it fits, else the bot of the scene."""
    venue = open_venue(scene.world, scene.config, threads=1)
    return choose_champion(venue.world, venue.config).name or scene.bot


def _contender(venue: Venue, scene: Scene) -> Contender:
    if choose_champion(venue.world, venue.config).name is None:
        if scene.bot not in venue.world.bots:
            raise UnknownName.among(f"bot of {scene.world!r}", scene.bot, venue.world.bots)
        return bot_contender(venue.world, scene.bot)
    champion = open_champion(scene.world)
    card = champion.card()
    contender, _, _ = load_contender(
        champion.policy_path(), venue, deterministic=card.deterministic, sha256=card.policy.sha256
    )
    return contender


def _episode(stage: Stage, contender: Contender) -> Iterator[Moment]:
    seats = range(stage.spec.agents)
    player = contender.start(stage.spec, stage.spec.agents)
    player.reset(seats, [stage.seed for _ in seats])
    let_see(player, stage.extra)
    while not stage.is_over:
        if arrived := stage.arrivals:
            player.reset(arrived, [stage.seed] * len(arrived))
        yield stage.step(player.act(*stage.view))


def _shown(venue: Venue, stage: Stage, moment: Moment) -> Shown:
    record, spec, draw = moment.record, stage.spec, venue.world.draw
    labels = {metric.key: metric.label for metric in spec.metrics}
    # Somebody who plays: the first seat may be empty.
    seat = next((place for place, decision in enumerate(record.received) if decision is not None), 0)
    values = dict(zip(spec.metric_keys, record.metrics[seat], strict=True))
    figures = [f"tick {moment.t:,}", *(f"{labels[key].lower()} {value_words(values[key])}" for key in spec.headline)]
    return Shown(
        image=None if draw is None else draw(stage.render_state(), record.events),
        figures=" · ".join(figures),
        events=tuple(name.lower().replace("_", " ") for name in record.events),
    )
