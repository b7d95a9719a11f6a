"""Makes pictures of a run from its events, whether they come live or from a file. It touches nothing else."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from diorama.worlds.morphogenesis.contracts.events import TelemetryEvent
from diorama.worlds.morphogenesis.views.env_watch import EnvWatch
from diorama.worlds.morphogenesis.views.group_watch import GroupWatch
from diorama.worlds.morphogenesis.views.narrative import narrate
from diorama.worlds.morphogenesis.views.pictures import PolicyPicture, RunPicture

BEST_SHOWN: Final = 10
WORST_SHOWN: Final = 5


class ViewAggregator:
    """Takes events in and gives pictures out. `dropped` events never reached it, `malformed` ones it could not read."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self.dropped = 0
        self.malformed = 0
        self.stopped: str | None = None
        self._groups: dict[str, GroupWatch] = {}

    @property
    def groups(self) -> tuple[str, ...]:
        """Every group there is, in the order they began."""
        return tuple(self._groups)

    def add(self, events: Iterable[TelemetryEvent]) -> None:
        """Take events in, in their order."""
        for event in events:
            self._groups.setdefault(event.group_id, GroupWatch()).note(event)

    def picture(self, group_id: str | None = None) -> RunPicture:
        """Return how a group stands; the first one by default, and an empty picture where nothing happened yet."""
        chosen = group_id if group_id in self._groups else next(iter(self._groups), "default")
        group = self._groups.get(chosen, GroupWatch())
        slot_ids = () if group.run is None else group.run.slot_ids
        envs = tuple(group.envs[env_id].picture(slot_ids) for env_id in sorted(group.envs))
        elapsed = (group.last_at - group.began_at).total_seconds() if group.began_at and group.last_at else 0.0
        ranked = sorted(group.episodes, key=lambda episode: (-episode.peak, episode.episode, episode.env_id))
        step_ms = None if group.stats is None else group.stats.step_time_ms
        statuses = Counter(env.status for env in envs)
        statuses["gradients"] = sum(_has_gradient_trouble(group.envs[env.env_id]) for env in envs)
        return RunPicture(
            groups=self.groups,
            group_id=chosen,
            run=group.run,
            controller=group.controller,
            round=0 if group.batch is None else group.batch.batch_idx,
            epoch=max((env.epoch for env in envs), default=0),
            elapsed_s=elapsed,
            epochs_per_s=None if not step_ms else 1000.0 / step_ms,
            samples_per_s=None if group.stats is None else group.stats.fps,
            best_accuracy=group.best,
            rolling_accuracy=None if group.batch is None else group.batch.rolling_accuracy,
            envs=envs,
            best_episodes=tuple(ranked[:BEST_SHOWN]),
            worst_episodes=tuple(ranked[max(BEST_SHOWN, len(ranked) - WORST_SHOWN) :]),
            policy=PolicyPicture(
                updates=tuple(group.updates),
                ops_now=dict(group.ops_now),
                ops_all=dict(group.ops_all),
                successes=dict(group.successes),
                failures=dict(group.failures),
                decisions=tuple(group.decisions),
            ),
            graveyard=dict(group.graveyard),
            anomalies=_anomalies(statuses, group.troubles),
            narrative=narrate(envs, group.ops_all, tuple(group.updates), group.graveyard),
            log=tuple(group.log),
            phases=dict(group.phases),
            last_event_at=group.last_at,
            dropped=self.dropped,
            malformed=self.malformed,
            stopped=self.stopped,
        )


def _anomalies(statuses: Counter[str], troubles: Counter[str]) -> dict[str, int]:
    counted = {
        "stalled": statuses["stalled"],
        "degraded": statuses["degraded"],
        "rolled back": statuses["rolled back"],
        "gradient trouble": statuses["gradients"] + troubles["gradients"],
        "policy trouble": troubles["policy"],
        "memory": troubles["memory"],
    }
    return {name: count for name, count in counted.items() if count}


def _has_gradient_trouble(env: EnvWatch) -> bool:
    seeds = () if env.epoch is None or env.epoch.seeds is None else env.epoch.seeds.values()
    return any(seed.has_exploding for seed in seeds)
