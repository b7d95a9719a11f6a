"""The best replay of a world: of its runs and its champion."""

from dataclasses import dataclass

from diorama.contracts.config import parse_config
from diorama.contracts.spec import Better
from diorama.runs.catalogue import Catalogue
from diorama.runs.champions import champion_address_id, has_champion, open_champion
from diorama.runs.replays.entry import ReplayEntry
from diorama.worlds.registry import load_world


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundReplay:
    """A replay, the run or champion it belongs to, and the metric by which it was chosen."""

    run_id: str
    metric: str
    entry: ReplayEntry


def find_best_replay(catalogue: Catalogue, world_id: str) -> FoundReplay | None:
    """Return the best replay of a world by the first of its headline metrics; None where there is none at all.

    Raises:
        UnknownName: There is no such world.
    """
    world = load_world(world_id)
    spec = world.describe(parse_config(world.id, world.config_type, {}))
    metric = spec.metrics[spec.metric_keys.index(spec.headline[0] if spec.headline else spec.metric_keys[0])]
    found = []
    if has_champion(world_id):
        found += [
            FoundReplay(run_id=champion_address_id(world_id), metric=metric.key, entry=entry)
            for entry in open_champion(world_id).replay_index().entries
        ]
    best = catalogue.best_replay(world_id, metric.key, metric.better)
    if best is not None:
        found.append(FoundReplay(run_id=best[0], metric=metric.key, entry=best[1]))
    return max(found, key=lambda item: _order(item, metric.better), default=None)


def _order(found: FoundReplay, better: Better) -> tuple[float, str]:
    value = found.entry.metrics.get(found.metric)
    if value is None:
        return -float("inf"), found.entry.created_at
    return (-value if better is Better.LOWER else value), found.entry.created_at
