"""A few trained policies kept at hand, to advise and to play."""

from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final, TypeAlias

from diorama.contracts.errors import CheckpointMismatch, UnknownName
from diorama.contracts.spec import WorldSpec
from diorama.engine.players import Contender
from diorama.runs.checkpoints.choosing import choose_checkpoint
from diorama.runs.checkpoints.headers import PolicyCheckpoint
from diorama.server.reading.shelf import RunShelf

if TYPE_CHECKING:
    from diorama.learn.policies.policy import Policy

_KEPT: Final = 4

_Key: TypeAlias = tuple[Path, int, int, WorldSpec]  # file, its age and size, and what it must fit


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ShelvedPolicy:
    """A policy that is loaded and may be shared; nobody changes it."""

    run_id: str
    policy: "Policy"
    header: PolicyCheckpoint
    sha256: str

    def contender(self, *, deterministic: bool = True) -> Contender:
        """Return it as a player that takes the likeliest option, or draws one."""
        from diorama.learn.evaluation.policy_player import policy_contender

        return policy_contender(self.run_id, self.policy, deterministic=deterministic)


class PolicyShelf:
    """Loads the best or newest policy of a run when it is first asked for, and keeps the last few that were."""

    def __init__(self, runs: RunShelf) -> None:
        """Know where runs lie; torch is not touched before the first policy is asked for."""
        self._runs = runs
        self.files = runs.files
        self._lock = Lock()
        self._kept: OrderedDict[_Key, ShelvedPolicy] = OrderedDict()

    def newest(self, run_id: str, spec: WorldSpec) -> ShelvedPolicy:
        """Return the best policy of a run by its validation, or else the newest.

        Raises:
            ConfigError: The id is not allowed.
            UnknownName: There is no such run, or it has no policy for this world and interface version.
        """
        path = choose_checkpoint(self._runs.find(run_id))
        facts = path.stat()
        key = (path, facts.st_mtime_ns, facts.st_size, spec)
        # One at a time: two people who ask for the same policy must not load it twice.
        with self._lock:
            if key not in self._kept:
                self._kept[key] = _load(run_id, path, spec)
            self._kept.move_to_end(key)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
            return self._kept[key]


def _load(run_id: str, path: Path, spec: WorldSpec) -> ShelvedPolicy:
    from diorama.training.policy_files import load_policy

    try:
        policy, stored = load_policy(path, spec)
    except CheckpointMismatch as error:
        raise UnknownName(f"run {run_id!r} has no policy for {spec.interface_version}: {error}") from error
    return ShelvedPolicy(run_id=run_id, policy=policy, header=stored.header, sha256=stored.sha256)
