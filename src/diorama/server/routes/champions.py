"""`/api/champions`: the best policy of every world that comes with one."""

from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Path, Response
from fastapi.responses import FileResponse

from diorama.runs.champions import champion_address_id, champion_worlds, open_champion
from diorama.server.errors import BROKEN, NOT_FOUND, UNPROCESSABLE, problems
from diorama.server.json_answers import json_answer
from diorama.server.models.champions import ChampionDetail, ChampionList, ChampionRow

router = APIRouter(prefix="/api/champions", tags=["champions"])

_World = Annotated[str, Path(max_length=128, description="World id.")]


@router.get("", responses=problems(BROKEN))
def champions() -> ChampionList:
    """List the champions."""
    cards = [open_champion(world).card() for world in champion_worlds()]
    return ChampionList(
        champions=[
            ChampionRow(
                world=card.world,
                run_id=champion_address_id(card.world),
                replay_id=card.replay_id,
                policy_arch=card.policy_arch,
                env_steps_total=card.env_steps_total,
                built_at=card.built_at,
            )
            for card in cards
        ]
    )


@router.get("/{world}", response_model=ChampionDetail, responses=problems(NOT_FOUND, UNPROCESSABLE, BROKEN))
def champion(world: _World) -> Response:
    """Show the card of a champion; its replay is read like that of a run, by `run_id`."""
    opened = open_champion(world)
    card = opened.card()
    answer = {
        "world": world,
        "run_id": champion_address_id(world),
        "card": card,
        "replay": opened.replay_index().entry(card.replay_id).to_json(),
    }
    return json_answer(msgspec.json.encode(answer))


@router.get(
    "/{world}/{file}",
    response_class=FileResponse,
    responses={
        200: {
            "description": "The policy of the champion",
            "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
        },
        **problems(NOT_FOUND, UNPROCESSABLE, BROKEN),
    },
)
def champion_file(
    world: _World, file: Annotated[Literal["policy.onnx", "policy.safetensors"], Path(description="Which form.")]
) -> FileResponse:
    """Return the policy of a champion as an ONNX file or as a checkpoint."""
    opened = open_champion(world)
    path = opened.onnx_path() if file == "policy.onnx" else opened.policy_path()
    return FileResponse(
        path,
        media_type="application/octet-stream",
        filename=f"champion-{world}{path.suffix}",
        headers={"Cache-Control": "no-cache"},
    )
