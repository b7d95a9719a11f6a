"""Campaigns as files: one JSON document, versioned, checked and replaced whole."""

from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from diorama.contracts.errors import DocumentError, UnknownName
from diorama.contracts.validation import first_problem
from diorama.contracts.values import canonical_json, sha256_hex
from diorama.storage.artifact_files import read_named
from diorama.storage.atomic_files import replace_file
from diorama.storage.json_text import decode_json
from diorama.worlds.tidebreak.campaign.state import CampaignState
from diorama.worlds.tidebreak.campaign.state.integrity import check_integrity
from diorama.worlds.tidebreak.content import shipped_content

FORMAT: Final = "campaign.v1"
MAX_BYTES: Final = 16 << 20
_STATE: Final[TypeAdapter[CampaignState]] = TypeAdapter(CampaignState)


def to_text(state: CampaignState) -> str:
    """Write a campaign down; equal campaigns give equal text."""
    plain = _STATE.dump_python(state, mode="json")
    document = {
        "format": FORMAT,
        "sha256": sha256_hex(canonical_json(plain)),
        "battles": [record["battle_id"] for record in plain["battles"]],
        "state": plain,
    }
    return canonical_json(document) + "\n"


def from_text(text: str, *, source: str = "save") -> CampaignState:
    """Read what `to_text` wrote.

    Raises:
        DocumentError: It is damaged, or no campaign of this version; the message names `source`.
    """
    try:
        document: Any = decode_json(text, object, where=source)
    except DocumentError as error:
        raise DocumentError(f"{source}: is damaged or no campaign: not JSON ({error})") from None
    found = document.get("format") if isinstance(document, dict) else None
    if found != FORMAT:
        raise DocumentError(f"{source}: is no campaign of this version: format is {found!r}, not {FORMAT!r}")
    plain = document.get("state")
    if sha256_hex(canonical_json(plain)) != document.get("sha256"):
        raise DocumentError(f"{source}: is damaged: its contents do not match their checksum")
    try:
        state = _STATE.validate_python(plain)
        check_integrity(state, shipped_content().classes)
    except ValidationError as error:
        raise DocumentError(f"{source}: {first_problem(error, inside='state')}") from None
    except ValueError as error:
        raise DocumentError(f"{source}: is damaged: {error}", code="campaign_damaged") from None
    return state


def write_save(state: CampaignState, path: Path) -> None:
    """Replace a file by a save; whoever reads it meets the old one or the new one, never half of one.

    Raises:
        StorageError: The disk is full or refuses.
    """
    replace_file(path, to_text(state).encode())


def read_save(path: Path) -> CampaignState:
    """Read a save.

    Raises:
        DocumentError: There is none, or it is damaged.
    """
    try:
        data = read_named(path, most_bytes=MAX_BYTES)
    except UnknownName:
        raise DocumentError(f"{path}: there is no such save") from None
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise DocumentError(f"{path}: is damaged or no campaign: not text") from None
    return from_text(text, source=str(path))
