"""Lets the episodes of an evaluation be played all over a cluster."""

from collections.abc import Sequence
from typing import Any, Final

from diorama.contracts.errors import DioramaError
from diorama.engine.players import Contender
from diorama.engine.venue import Venue
from diorama.learn.evaluation.episodes import PendingEpisodes, Progress, SilentProgress, episode_chunks, play_episodes
from diorama.learn.evaluation.opposition import Opposition
from diorama.learn.evaluation.summary import EpisodeRecord

_TRIES: Final = 3  # how often a wave is played again after the process that played it was lost


class ClusterHall:
    """Implements `learn.evaluation.episodes.SubmitEpisodes`; the caller is connected to a cluster.

    A task plays one wave, the same one that would be played here, so the records are the same to the bit. Waves
    know nothing of each other: one whose process or machine is lost is played again elsewhere.
    """

    def __init__(self) -> None:
        """Begin with nothing asked for."""
        import ray

        self._play: Any = ray.remote(_play).options(num_cpus=1, max_retries=_TRIES)
        self._sent: dict[int, tuple[object, Any]] = {}

    def __call__(
        self,
        venue: Venue,
        contender: Contender,
        seeds: Sequence[int],
        *,
        max_decisions: int,
        opposition: Opposition | None = None,
    ) -> PendingEpisodes:
        """Ask for one episode per seed; they are under way when this returns."""
        here, who = self._reference(venue), self._reference(contender)
        waves = [self._play.remote(here, who, list(wave), max_decisions, opposition) for wave in episode_chunks(seeds)]
        return lambda progress: [record for wave in waves for record in _read(wave, progress)]

    def _reference(self, item: object) -> Any:
        """Send an object to the cluster once; it is kept here too, so that no other can take its identity."""
        import ray

        if id(item) not in self._sent:
            self._sent[id(item)] = (item, ray.put(item))
        return self._sent[id(item)][1]


def _play(
    venue: Venue, contender: Contender, seeds: Sequence[int], max_decisions: int, opposition: Opposition | None
) -> list[EpisodeRecord]:
    import torch

    torch.set_num_threads(1)
    return play_episodes(
        venue, contender, seeds, max_decisions=max_decisions, progress=SilentProgress(), opposition=opposition
    )


def _read(wave: Any, progress: Progress) -> list[EpisodeRecord]:
    import ray

    try:
        records: list[EpisodeRecord] = ray.get(wave)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, DioramaError):
            raise error.cause from None
        raise
    except ray.exceptions.RayError as error:
        raise DioramaError(f"the processes of an evaluation were lost {_TRIES + 1} times ({error})") from None
    progress.advance(episodes=len(records), decisions=sum(record.decisions for record in records))
    return records
