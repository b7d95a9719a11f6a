"""One entry of the replay index."""

from collections.abc import Mapping

import msgspec

from diorama.contracts.errors import DocumentError
from diorama.contracts.spec import WorldSpec
from diorama.runs.documents import Int64, RawObject


class Fork(msgspec.Struct, frozen=True, kw_only=True):
    """Where a replay leaves another one: both are the same up to and including this frame of it."""

    replay_id: str
    frame: Int64


class ReplayEntry(msgspec.Struct, frozen=True, kw_only=True):
    """What the index says about a replay; paths are relative to the run.

    `headline` holds the world's headline metrics under their short names, which stand at the top level of the
    stored entry.
    """

    run_id: str
    world: str
    window_id: Int64
    replay_id: str
    replay_path: str
    meta_path: str
    checkpoint_path: str | None
    tags: tuple[str, ...]
    trainer_backend: str
    seed: int
    return_total: float
    steps: Int64
    ticks: Int64
    headline: dict[str, float] = {}
    metrics: dict[str, float]
    terminated: bool
    truncated: bool
    end_reason: str | None
    checkpoint_env_steps_total: Int64 | None
    created_at: str
    forked_from: Fork | None = None

    @property
    def order(self) -> tuple[int, str, str]:
        """Listings are sorted by this, newest first."""
        return self.window_id, self.created_at, self.replay_id

    def to_json(self) -> RawObject:
        """Return the entry as it is stored."""
        stored: RawObject = {}
        for name, value in msgspec.to_builtins(self).items():
            if name == "headline":
                stored.update(value)
            else:
                stored[name] = list(value) if name == "tags" else value
        return stored

    @classmethod
    def from_json(cls, stored: RawObject, *, where: str) -> "ReplayEntry":
        """Read a stored entry.

        Raises:
            DocumentError: It is of another form.
        """
        headline = {name: value for name, value in stored.items() if name not in cls.__struct_fields__}
        try:
            return msgspec.convert({**stored, "headline": headline}, type=cls)
        except msgspec.ValidationError as error:
            raise DocumentError(f"{where}: {error}") from None


def short_names(spec: WorldSpec) -> dict[str, str]:
    """Return the name under which entries and milestones know each headline metric, by metric key.

    It is the metric's alias without its statistic: `profit` where windows say `profit_mean`.
    """
    aliases = {key: alias.rpartition("_")[0] for alias, key in spec.aliases if "_" in alias}
    return {key: aliases.get(key, key) for key in spec.headline}


def headline_of(spec: WorldSpec, metrics: Mapping[str, float]) -> dict[str, float]:
    """Return the headline metrics under their short names."""
    return {name: metrics[key] for key, name in short_names(spec).items()}
