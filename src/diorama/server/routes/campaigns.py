"""Campaigns over HTTP."""

from typing import Annotated

from fastapi import APIRouter, Path, Response

from diorama.server.errors import problems
from diorama.server.models.campaigns import (
    AdvanceCampaign,
    ApplyResult,
    BattleRecording,
    CampaignChange,
    CampaignDeleted,
    CampaignList,
    CampaignOrders,
    CampaignState,
    CreateCampaign,
    FightBattle,
    GiveOrder,
    PendingBattle,
    ScenarioList,
    UploadCampaign,
)
from diorama.server.parameters import ID_PATTERN
from diorama.server.services import ServicesDep

router = APIRouter(prefix="/api", tags=["campaigns"])

CampaignId = Annotated[str, Path(pattern=r"^[0-9a-f]{12}$", description="Id of a campaign.")]
BattleId = Annotated[str, Path(pattern=ID_PATTERN, description="Id of a battle of the campaign.")]


@router.get("/campaigns", responses=problems(429, 503))
async def list_campaigns(services: ServicesDep) -> CampaignList:
    """List the campaigns, those that were played last first."""
    return await services.campaigns.all()


@router.get("/campaign-scenarios", responses=problems(429, 503))
async def list_campaign_scenarios(services: ServicesDep) -> ScenarioList:
    """List the opening positions."""
    return await services.campaigns.scenarios()


@router.post("/campaigns", responses=problems(400, 404, 422, 429, 500, 503))
async def create_campaign(services: ServicesDep, body: CreateCampaign) -> CampaignState:
    """Begin a campaign."""
    return await services.campaigns.create(body)


@router.post("/campaign-saves", responses=problems(400, 404, 422, 429, 500, 503))
async def upload_campaign(services: ServicesDep, body: UploadCampaign) -> CampaignState:
    """Go on from a save, as a campaign of its own."""
    return await services.campaigns.upload(body)


@router.get("/campaigns/{campaign_id}", responses=problems(404, 422, 429, 500, 503))
async def get_campaign(services: ServicesDep, campaign_id: CampaignId) -> CampaignState:
    """Return everything a page shows of a campaign."""
    return await services.campaigns.state(campaign_id)


@router.delete("/campaigns/{campaign_id}", responses=problems(404, 409, 422, 429, 500, 503))
async def delete_campaign(services: ServicesDep, campaign_id: CampaignId) -> CampaignDeleted:
    """Remove a campaign; the recordings of its battles are runs, and stay."""
    await services.campaigns.delete(campaign_id)
    return CampaignDeleted(campaign_id=campaign_id, deleted=True)


@router.get("/campaigns/{campaign_id}/orders", responses=problems(404, 422, 429, 500, 503))
async def list_orders(services: ServicesDep, campaign_id: CampaignId) -> CampaignOrders:
    """List the orders the player may give now, and how many are left today."""
    view = (await services.campaigns.state(campaign_id)).view
    return CampaignOrders.model_validate({"orders": view["orders"], "orders_left": view["orders_left"]})


@router.post("/campaigns/{campaign_id}/orders", responses=problems(404, 409, 422, 429, 500, 503))
async def give_order(services: ServicesDep, campaign_id: CampaignId, body: GiveOrder) -> CampaignChange:
    """Give an order."""
    return await services.campaigns.submit(campaign_id, body.order)


@router.post("/campaigns/{campaign_id}/advance", responses=problems(404, 409, 422, 429, 500, 503))
async def advance_campaign(
    services: ServicesDep, campaign_id: CampaignId, body: AdvanceCampaign | None = None
) -> CampaignChange:
    """Play days; a battle that waits for the player, and the end, stop them early."""
    asked = body or AdvanceCampaign()
    return await services.campaigns.advance(campaign_id, asked.days, autopilot=asked.autopilot)


@router.get("/campaigns/{campaign_id}/battle", responses=problems(404, 409, 422, 429, 500, 503))
async def get_pending_battle(services: ServicesDep, campaign_id: CampaignId) -> PendingBattle:
    """Return the battle that waits for the player, as a package that can be fought anywhere."""
    return await services.campaigns.pending(campaign_id)


@router.post("/campaigns/{campaign_id}/battle/fight", responses=problems(400, 404, 409, 422, 429, 500, 503))
async def fight_pending_battle(
    services: ServicesDep, campaign_id: CampaignId, body: FightBattle | None = None
) -> CampaignChange:
    """Let the battle that waits be fought by scripts, and finish the day."""
    asked = body or FightBattle()
    return await services.campaigns.resolve(
        campaign_id, "the battle was fought", lambda game: game.fight(asked.scripts, asked.own_script)
    )


@router.post("/campaigns/{campaign_id}/battle/result", responses=problems(400, 404, 409, 422, 429, 500, 503))
async def apply_battle_result(services: ServicesDep, campaign_id: CampaignId, body: ApplyResult) -> CampaignChange:
    """Apply the result of the battle that waits, which was fought elsewhere, and finish the day."""
    return await services.campaigns.resolve(campaign_id, "the result was applied", lambda game: game.apply(body.result))


@router.post("/campaigns/{campaign_id}/battles/{battle_id}/replay", responses=problems(404, 409, 422, 429, 500, 503))
async def record_battle(services: ServicesDep, campaign_id: CampaignId, battle_id: BattleId) -> BattleRecording:
    """See to it that a battle can be watched, and return how far its recording is."""
    return await services.campaigns.record(campaign_id, battle_id)


@router.get(
    "/campaigns/{campaign_id}/save",
    response_class=Response,
    responses={
        200: {"description": "The save", "content": {"application/json": {"schema": {"type": "object"}}}},
        **problems(404, 422, 429, 500, 503),
    },
)
async def download_campaign(services: ServicesDep, campaign_id: CampaignId) -> Response:
    """Return the save of a campaign; `/api/campaign-saves` and `diorama tidebreak campaign load` go on from it."""
    text, file_name = await services.campaigns.save(campaign_id)
    disposition = f'attachment; filename="{file_name}"'
    return Response(text, media_type="application/json", headers={"Content-Disposition": disposition})
