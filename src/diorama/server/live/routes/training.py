"""`/api/v1/worlds/{id}/training`: how the policy that decides was trained."""

from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from fastapi import APIRouter

from diorama.contracts.errors import DocumentError, UnknownName
from diorama.contracts.values import JsonObject
from diorama.server.live.access import UNFIT, ViewerDep
from diorama.server.live.models import Training
from diorama.server.live.services import LiveId, LiveServicesDep
from diorama.telemetry.ppo.log_files import find_log, parse_line, read_log

router = APIRouter(prefix="/api/v1/worlds/{live_id}", tags=["live"])
_RECORDS: Final = 500


@router.get("/training", responses=UNFIT)
def training(services: LiveServicesDep, viewer: ViewerDep, live_id: LiveId) -> Training:
    """Return the last records of the PPO log of the run the release comes from; none for a scripted release."""
    status = services.find(live_id).status()
    run_id = _run_of(status, services.settings.runs_root)
    if run_id is None:
        return Training(run_id=None, records=[])
    return Training(run_id=run_id, records=_records(services.settings.runs_root / run_id))


def _run_of(status: JsonObject, runs_root: Path) -> str | None:
    policy = status.get("policy")
    checkpoint = policy.get("checkpoint") if isinstance(policy, Mapping) else None
    if not isinstance(checkpoint, str):
        return None
    root = runs_root.resolve()
    path = (root / checkpoint).resolve()
    if not path.is_relative_to(root) or not path.is_file():
        return None
    return path.relative_to(root).parts[0]


def _records(run: Path) -> list[dict[str, Any]]:
    try:
        lines = deque((line.data for line in read_log(find_log(run)) if line.is_whole), maxlen=_RECORDS)
    except (UnknownName, DocumentError):
        return []
    records = (_record(line) for line in lines)
    return [record for record in records if record is not None]


def _record(line: bytes) -> dict[str, Any] | None:
    try:
        return dict(parse_line(line))
    except ValueError:
        return None
