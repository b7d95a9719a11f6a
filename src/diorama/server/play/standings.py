"""How scripted baselines and policies fare on the seed and configuration of a session."""

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Final

from diorama.contracts.config import WorldConfig
from diorama.contracts.world import World
from diorama.engine.players import Contender, bot_contender
from diorama.engine.venue import Venue
from diorama.learn.evaluation.episodes import SilentProgress, play_episodes
from diorama.learn.evaluation.summary import EpisodeRecord
from diorama.server.models.play import Standing

_KEPT: Final = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class Rivalry:
    """What everybody plays: the place, the seed and the seat that is compared."""

    venue: Venue
    seed: int
    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rival:
    """Somebody to compare with; `identity` stands for what it does: the name of a bot, the hash of a policy."""

    contender: Contender
    identity: str


class StandingsTable:
    """How rivals fared, as far as they have played. May be used by several threads."""

    def __init__(self) -> None:
        """Begin empty."""
        self._lock = Lock()
        self._kept: OrderedDict[tuple[str, int, int, str], Standing] = OrderedDict()

    def standing(self, rivalry: Rivalry, rival: Rival) -> Standing:
        """Return how a rival fared; without figures if it has not played."""
        with self._lock:
            return self._kept.get(_key(rivalry, rival)) or _not_played(rival.contender)

    def play(self, rivalry: Rivalry, rival: Rival) -> None:
        """Let a rival play unless it has.

        Raises:
            WorkStopped: It was not done in time, and has not played.
        """
        if self.standing(rivalry, rival).finished:
            return
        standing = _play(rivalry, rival.contender)
        with self._lock:
            self._kept[_key(rivalry, rival)] = standing
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)


def bots_of(world: World[WorldConfig]) -> list[Rival]:
    """Return all scripted baselines of a world."""
    return [Rival(contender=bot_contender(world, name), identity=name) for name in world.bots]


def _key(rivalry: Rivalry, rival: Rival) -> tuple[str, int, int, str]:
    return rivalry.venue.config_hash, rivalry.seed, rivalry.seat, rival.identity


def _play(rivalry: Rivalry, contender: Contender) -> Standing:
    limit = rivalry.venue.world.evaluation.max_decisions
    records = play_episodes(rivalry.venue, contender, [rivalry.seed], max_decisions=limit, progress=SilentProgress())
    record = records[rivalry.seat]
    return Standing(
        name=contender.name,
        kind="bot" if contender.kind.value == "bot" else "run",
        finished=not record.guard_truncated,
        steps=record.decisions,
        ticks=record.ticks,
        return_total=_own_return(rivalry.venue, record),
        metrics=dict(record.metrics),
        end_reason=record.end_reason,
    )


def _own_return(venue: Venue, record: EpisodeRecord) -> float | None:
    """Return what was earned under the session's own reward, if it is one that evaluations know."""
    names = [name for name, config in venue.profile_configs().items() if config == venue.config]
    return record.returns[names[0]] if names else None


def _not_played(contender: Contender) -> Standing:
    return Standing(
        name=contender.name,
        kind="bot" if contender.kind.value == "bot" else "run",
        finished=False,
        steps=0,
        ticks=0,
        return_total=None,
        metrics={},
        end_reason=None,
    )
