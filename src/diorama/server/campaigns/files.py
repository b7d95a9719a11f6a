"""`CampaignFiles`: the directory of the campaigns."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from diorama.contracts.campaigns import CampaignBattle
from diorama.contracts.errors import DioramaError, StorageError
from diorama.runs.documents import encode
from diorama.server.campaigns.documents import BattleDocument, CampaignDocument
from diorama.server.campaigns.errors import CampaignUnknown
from diorama.server.reading.stamped_cache import StampedCache
from diorama.storage.artifact_files import read_artifact
from diorama.storage.atomic_files import replace_file
from diorama.storage.json_text import decode_json

MAX_FILE_BYTES: Final = 16 << 20
_CACHE_BYTES: Final = 16 << 20
_ID: Final = re.compile(r"[0-9a-f]{12}")
_SUFFIX: Final = ".json"


class CampaignFiles:
    """Reads and writes campaigns, whole or not at all; used from threads."""

    def __init__(self, root: Path) -> None:
        """Look at a directory, which is made when the first campaign is written."""
        self._root = root
        self._read_before: StampedCache[CampaignDocument] = StampedCache(limit_bytes=_CACHE_BYTES)

    def ids(self) -> list[str]:
        """Return the ids of all campaigns, sorted."""
        if not self._root.is_dir():
            return []
        names = (path.name.removesuffix(_SUFFIX) for path in self._root.glob(f"*{_SUFFIX}"))
        return sorted(name for name in names if _ID.fullmatch(name))

    def all(self) -> Iterator[CampaignDocument | tuple[str, str]]:
        """Go through all campaigns; of one that cannot be read its id and what is wrong."""
        for campaign_id in self.ids():
            try:
                yield self.read(campaign_id)
            except DioramaError as error:
                yield campaign_id, str(error).replace(f"{self._root}/", "")

    def has(self, campaign_id: str) -> bool:
        """Whether there is such a campaign."""
        return _ID.fullmatch(campaign_id) is not None and self._path(campaign_id).is_file()

    def read(self, campaign_id: str) -> CampaignDocument:
        """Read a campaign.

        Raises:
            CampaignUnknown: There is none of that id.
            DocumentError: Its file is broken.
        """
        if not self.has(campaign_id):
            raise CampaignUnknown.of(campaign_id)
        path = self._path(campaign_id)

        def parse() -> CampaignDocument:
            return decode_json(read_artifact(path, most_bytes=MAX_FILE_BYTES), CampaignDocument, where=path.name)

        return self._read_before.get(path, parse)

    def write(self, document: CampaignDocument) -> None:
        """Replace a campaign.

        Raises:
            StorageError: The disk refuses; what was there before is untouched.
        """
        replace_file(self._path(document.campaign_id), encode(document))

    def write_battle(self, campaign_id: str, battle: CampaignBattle) -> None:
        """Keep a battle, so that it can be recorded.

        Raises:
            StorageError: The disk refuses.
        """
        replace_file(self._battle_path(campaign_id, battle.battle_id), encode(BattleDocument.of(battle)))

    def read_battle(self, campaign_id: str, battle_id: str) -> BattleDocument:
        """Read a battle that the campaign's document names.

        Raises:
            UnknownName: Its file is gone.
            DocumentError: Its file is broken.
        """
        path = self._battle_path(campaign_id, battle_id)
        return decode_json(read_artifact(path, most_bytes=MAX_FILE_BYTES), BattleDocument, where=path.name)

    def remove(self, campaign_id: str) -> None:
        """Remove a campaign and its battles; recordings of battles are runs, and stay.

        Raises:
            CampaignUnknown: There is none.
            StorageError: The disk refuses.
        """
        if not self.has(campaign_id):
            raise CampaignUnknown.of(campaign_id)
        try:
            self._path(campaign_id).unlink()
            shutil.rmtree(self._battles(campaign_id), ignore_errors=True)
        except OSError as error:
            raise StorageError(f"campaign {campaign_id}: cannot be removed ({error.strerror or error})") from error

    def _path(self, campaign_id: str) -> Path:
        return self._root / f"{campaign_id}{_SUFFIX}"

    def _battles(self, campaign_id: str) -> Path:
        return self._root / f"{campaign_id}.battles"

    def _battle_path(self, campaign_id: str, battle_id: str) -> Path:
        return self._battles(campaign_id) / f"{battle_id}{_SUFFIX}"
