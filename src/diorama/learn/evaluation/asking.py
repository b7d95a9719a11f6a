"""Asks for episodes: here they are played when they are read, elsewhere they may be under way by then."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from diorama.learn.evaluation.episodes import Progress, play_episodes
from diorama.learn.evaluation.players import Contender
from diorama.learn.evaluation.records import EpisodeRecord
from diorama.learn.evaluation.venue import Venue

Played: TypeAlias = Callable[[Progress], list[EpisodeRecord]]
"""Returns the records of episodes that were asked for, as `play_episodes` does."""


class Asking(Protocol):
    """Takes the same arguments as `play_episodes`, and plays the same episodes."""

    def __call__(self, venue: Venue, contender: Contender, seeds: Sequence[int], *, max_decisions: int) -> Played:
        """Ask for one episode per seed."""


def ask_here(venue: Venue, contender: Contender, seeds: Sequence[int], *, max_decisions: int) -> Played:
    """Ask for episodes in this process; they are played when they are read."""
    return lambda progress: play_episodes(venue, contender, seeds, max_decisions=max_decisions, progress=progress)
