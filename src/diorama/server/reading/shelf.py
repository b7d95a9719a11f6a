"""`RunShelf`: the runs below the root, as the endpoints see them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.contracts.foreign_config import NO_FILE, FileAccess
from diorama.runs.catalogue import Catalogue
from diorama.runs.champions import champion_world, open_champion
from diorama.runs.documents import RawObject, read_document
from diorama.runs.layout import RunLayout, run_layout
from diorama.runs.metadata import RunMetadata
from diorama.runs.replays.entry import ReplayEntry
from diorama.runs.replays.index import ReplayIndex, read_index
from diorama.runs.replays.reader import ReplayReader, open_entry
from diorama.server.reading.stamped_cache import StampedCache, file_stamp

_CACHE_BYTES: Final = 64 << 20  # of index files, and again of sidecars


@dataclass(frozen=True, slots=True)
class OpenedReplay:
    """A replay whose files lie inside of its run."""

    entry: ReplayEntry
    reader: ReplayReader


class RunShelf:
    """Finds runs and champions; nothing else outside of the root is ever read. May be used by several threads."""

    def __init__(self, root: Path, *, files: FileAccess = NO_FILE) -> None:
        """Stand before a root, which need not exist; `files` are those that configurations of others may name."""
        self.root = root
        self.files = files
        self.catalogue = Catalogue(root)
        self._indexes: StampedCache[ReplayIndex] = StampedCache(limit_bytes=_CACHE_BYTES)
        self._replays: StampedCache[ReplayReader] = StampedCache(limit_bytes=_CACHE_BYTES)

    def warm(self) -> None:
        """Look at all runs once, so that the first listing is as quick as the next."""
        self.catalogue.runs(limit=1)

    def close(self) -> None:
        """Let go of the catalogue."""
        self.catalogue.close()

    def find(self, run_id: str) -> RunLayout:
        """Return where a run, or the champion of a world, lies.

        Raises:
            ConfigError: The id is not allowed.
            UnknownName: There is no such run or champion.
        """
        world_id = champion_world(run_id)
        if world_id is not None:
            return open_champion(world_id).layout
        try:
            layout = run_layout(self.root, run_id)
        except ConfigError:
            if (self.root / run_id).is_symlink():
                raise UnknownName(f"there is no run {run_id!r}; a link that leads out of the root is none") from None
            raise
        if not layout.directory.is_dir():
            raise UnknownName(f"there is no run {run_id!r}; /api/runs lists those there are")
        return layout

    def metadata(self, layout: RunLayout) -> RunMetadata:
        """Read where a run stands.

        Raises:
            UnknownName: There is no metadata.
            DocumentError: It is broken, or lies elsewhere.
        """
        return read_document(layout.metadata, RunMetadata, within=layout.directory)

    def config(self, layout: RunLayout) -> RawObject:
        """Read the configuration a run was started with.

        Raises:
            UnknownName: There is none.
            DocumentError: It is broken, or lies elsewhere.
        """
        return read_document(layout.config, RawObject, within=layout.directory)

    def index(self, layout: RunLayout) -> ReplayIndex:
        """Return the replays of a run.

        Raises:
            DocumentError: The index is broken, lies elsewhere, or an entry of it points out of the run.
        """
        try:
            return self._indexes.get(layout.replay_index, lambda: _checked(layout, read_index(layout)))
        except UnknownName:
            return ReplayIndex(run_id=layout.run_id, updated_at=None, entries=())

    def replay(self, layout: RunLayout, replay_id: str) -> OpenedReplay:
        """Open a replay of the index.

        Raises:
            UnknownName: The index has no such replay, or its files are gone.
            DocumentError: Index or sidecar is broken or points out of the run.
        """
        entry = self.index(layout).entry(replay_id)
        # Resolved at every call: a link may have taken the place of a file since.
        layout.resolve(entry.replay_path)
        sidecar = layout.resolve(entry.meta_path)
        return OpenedReplay(entry, self._replays.get(sidecar, lambda: open_entry(layout, entry)))


def inside(layout: RunLayout, path: Path) -> Path:
    """Return a path of a run that holds an ordinary file.

    Raises:
        UnknownName: There is none.
        DocumentError: It is a link, or lies behind one.
    """
    file_stamp(path, within=layout.directory)
    return path


def _checked(layout: RunLayout, index: ReplayIndex) -> ReplayIndex:
    for entry in index.entries:
        for stored in (entry.replay_path, entry.meta_path):
            layout.check_inside(stored)
    return index
