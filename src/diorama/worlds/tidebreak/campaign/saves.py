"""Campaigns as files: one JSON document, versioned, checked and replaced whole."""

import json
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter, ValidationError

from diorama.contracts.errors import DocumentError
from diorama.contracts.validation import first_problem
from diorama.contracts.values import canonical_json, sha256_hex
from diorama.storage.atomic_files import replace_file
from diorama.worlds.tidebreak.campaign.state import CampaignState

FORMAT: Final = "campaign.v1"
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
        document = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise DocumentError(f"{source}: is damaged or no campaign: not JSON ({error})") from None
    found = document.get("format") if isinstance(document, dict) else None
    if found != FORMAT:
        raise DocumentError(f"{source}: is no campaign of this version: format is {found!r}, not {FORMAT!r}")
    plain = document.get("state")
    if sha256_hex(canonical_json(plain)) != document.get("sha256"):
        raise DocumentError(f"{source}: is damaged: its contents do not match their checksum")
    try:
        return _STATE.validate_python(plain)
    except ValidationError as error:
        raise DocumentError(f"{source}: {first_problem(error, inside='state')}") from None


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


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
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise DocumentError(f"{path}: there is no such save") from None
    except UnicodeDecodeError:
        raise DocumentError(f"{path}: is damaged or no campaign: not text") from None
    except OSError as error:
        raise DocumentError(f"{path}: cannot be read ({error.strerror or error})") from None
    return from_text(text, source=str(path))
