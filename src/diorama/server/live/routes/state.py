"""The state of a live world: its telemetry snapshot and its KPIs."""

from collections.abc import Mapping
from typing import Annotated, Final

from fastapi import APIRouter, Query, Response

from diorama.contracts.values import JsonObject
from diorama.runs.documents import encode
from diorama.server.errors import BadValue
from diorama.server.json_answers import json_answer
from diorama.server.live.access import UNFIT, ViewerDep
from diorama.server.live.models import Kpi, Kpis, TelemetrySnapshot
from diorama.server.live.services import LiveId, LiveServicesDep
from diorama.worlds.registry import load_world

router = APIRouter(prefix="/api/v1/worlds/{live_id}", tags=["live"])
_KPIS: Final = "kpis"


@router.get(
    "/telemetry/snapshot",
    response_model=TelemetrySnapshot,
    responses=UNFIT,
)
def telemetry_snapshot(
    services: LiveServicesDep,
    viewer: ViewerDep,
    live_id: LiveId,
    blocks: Annotated[str | None, Query(max_length=1024, description="Names of blocks with commas between.")] = None,
) -> Response:
    """Return the whole state as telemetry tells it, or some blocks of it."""
    snapshot = services.find(live_id).publisher.latest_snapshot()
    return json_answer(encode(snapshot if blocks is None else _chosen(snapshot, blocks)))


@router.get("/kpis", responses=UNFIT)
def kpis(services: LiveServicesDep, viewer: ViewerDep, live_id: LiveId) -> Kpis:
    """Return the KPIs, and how they are judged."""
    host = services.find(live_id)
    snapshot = host.publisher.latest_snapshot()
    offer = load_world(host.world.identity.world).live
    targets = () if offer is None else offer.kpis
    return Kpis.model_validate(
        {
            "tick": snapshot["tick"],
            "kpis": _state(snapshot).get(_KPIS, {}),
            "targets": [Kpi.model_validate(target, from_attributes=True) for target in targets],
        }
    )


def _chosen(snapshot: JsonObject, blocks: str) -> JsonObject:
    state = _state(snapshot)
    names = [name.strip() for name in blocks.split(",") if name.strip()]
    if unknown := [name for name in names if name not in state]:
        raise BadValue(f"query.blocks: there is no block {unknown[0][:64]!r}; there are: {', '.join(state)}")
    return {**snapshot, "state": {name: state[name] for name in names}}


def _state(snapshot: JsonObject) -> JsonObject:
    state = snapshot["state"]
    return state if isinstance(state, Mapping) else {}
