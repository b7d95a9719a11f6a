"""`Board`: what all players of a scoreboard play, and the files in which results are kept."""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from diorama.contracts.errors import DocumentError, UnknownName
from diorama.contracts.foreign_config import NO_FILE
from diorama.contracts.values import JsonObject, canonical_json
from diorama.engine.venue import Venue, open_foreign_venue
from diorama.runs.champions import CardScore, has_champion, open_champion
from diorama.runs.documents import Document, read_document, replace_document
from diorama.training.evaluation import held_out_seeds

MAX_EPISODES: Final = 20  # where no number is given; the protocols of the worlds have up to 100
PEOPLE_KEPT: Final = 100
RESULTS_KEPT: Final = 500
_FOLDER: Final = ".scoreboard"  # no name of a run begins with a dot
_PEOPLE: Final = "people"
_RESULTS: Final = "results"

Kind = Literal["script", "champion", "run", "person"]


class BoardEntry(Document, frozen=True, kw_only=True):
    """A result that is known.

    Attributes:
        identity: Hash of the policy, name of the script with the version of the package, or id of the session.
        episodes: Over so many episodes.
        scores: Headline metrics by key and returns as `return_PROFILE`; those of a person have no width.
        run_id: The run of the replay, as pages ask for it.
        replay_id: An episode of it on one of the seeds.
        seed: Of the only episode of a person; None for any other player.
    """

    schema_version: Literal[1] = 1
    name: str
    kind: Kind
    identity: str
    episodes: int
    scores: dict[str, CardScore]
    run_id: str | None
    replay_id: str | None
    computed_at: str
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Board:
    """All players play these seeds in this configuration: that of the champion, else the world's default.

    Attributes:
        root: Directory of the runs.
        venue: World and configuration.
        seeds: The first of the world's evaluation protocol.
        key: Names this board: another interface, configuration or set of seeds has other results.
    """

    root: Path
    venue: Venue
    seeds: tuple[int, ...]
    key: str = field(init=False)

    def __post_init__(self) -> None:
        """Work out the key."""
        facts: JsonObject = {
            "interface_version": self.venue.spec.interface_version,
            "config": self.venue.config_hash,
            "seeds": list(self.seeds),
            "max_decisions": self.venue.world.evaluation.max_decisions,
        }
        object.__setattr__(self, "key", hashlib.sha256(canonical_json(facts).encode()).hexdigest()[:16])

    @property
    def folder(self) -> Path:
        """Where its results lie."""
        return self.root / _FOLDER / self.venue.world.id / self.key

    @property
    def run_id(self) -> str:
        """The run that holds the replays of those who have no run of their own."""
        return f"scoreboard-{self.venue.world.id}"

    def is_played_in(self, config_hash: str) -> bool:
        """Whether a configuration is that of the board, whatever is paid in it."""
        profiles = self.venue.profile_configs().values()
        hashes = {Venue(world=self.venue.world, config=config).config_hash for config in profiles}
        return config_hash in {self.venue.config_hash, *hashes}

    def result(self, kind: Kind, identity: str) -> BoardEntry | None:
        """Return what is known of a player; a file that is broken counts as missing, since it can be made again."""
        try:
            return read_document(self._path(_RESULTS, kind, identity), BoardEntry)
        except (UnknownName, DocumentError):
            return None

    def people(self) -> list[BoardEntry]:
        """Return the results of people, the newest first."""
        found = [self._read(path) for path in (self.folder / _PEOPLE).glob("*.json")]
        return sorted(
            (entry for entry in found if entry is not None), key=lambda entry: entry.computed_at, reverse=True
        )

    def keep(self, entry: BoardEntry) -> None:
        """Write a result, and remove the oldest where there are too many.

        Raises:
            StorageError: The disk refuses.
        """
        is_person = entry.kind == "person"
        folder, most = (_PEOPLE, PEOPLE_KEPT) if is_person else (_RESULTS, RESULTS_KEPT)
        replace_document(self._path(folder, entry.kind, entry.identity), entry)
        known = sorted((self.folder / folder).glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
        for path in known[:-most]:
            path.unlink(missing_ok=True)

    def _path(self, folder: str, kind: Kind, identity: str) -> Path:
        # A run may hold the very policy that became the champion, and has a replay of its own.
        return self.folder / folder / f"{hashlib.sha256(f'{kind} {identity}'.encode()).hexdigest()[:24]}.json"

    def _read(self, path: Path) -> BoardEntry | None:
        try:
            return read_document(path, BoardEntry)
        except (UnknownName, DocumentError):
            return None


def open_board(root: Path, world_id: str, episodes: int | None = None) -> Board:
    """Return the scoreboard of a world.

    Args:
        root: Directory of the runs.
        world_id: The world.
        episodes: Seeds; None for as many as its protocol has, and 20 at most.

    Raises:
        UnknownName: There is no such world.
        DocumentError: The card of its champion is broken.
    """
    config = open_champion(world_id).card().config if has_champion(world_id) else {}
    venue = open_foreign_venue(world_id, config, f"champion of {world_id!r}", files=NO_FILE)
    count = min(venue.world.evaluation.episodes, MAX_EPISODES) if episodes is None else episodes
    return Board(root, venue, held_out_seeds(venue, count).seeds)
