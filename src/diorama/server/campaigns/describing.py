"""Campaigns as answers."""

from diorama.server.campaigns.documents import CampaignDocument
from diorama.server.campaigns.entry import CampaignEntry
from diorama.server.campaigns.errors import CampaignUnknown
from diorama.server.campaigns.offers import campaign_worlds
from diorama.server.campaigns.recording import BattleRecorder
from diorama.server.models.campaigns import BattleRecording, CampaignRow, CampaignState, Faction, ScenarioRow


def scenario_rows() -> list[ScenarioRow]:
    """Describe the opening positions of all worlds."""
    return [
        ScenarioRow(
            world=world,
            id=scenario.id,
            name=scenario.name,
            summary=scenario.summary,
            last_day=scenario.last_day,
            factions=[Faction(id=faction.id, name=faction.name) for faction in scenario.factions],
        )
        for world, offer in campaign_worlds().items()
        for scenario in offer.scenarios()
    ]


def row_of(found: CampaignDocument | tuple[str, str]) -> CampaignRow:
    """Describe a campaign in short, also one that cannot be read: its id and what is wrong."""
    if isinstance(found, tuple):
        return CampaignRow(campaign_id=found[0], problem=found[1])
    return CampaignRow(
        campaign_id=found.campaign_id,
        world=found.world,
        name=found.name,
        scenario=found.scenario,
        seed=found.seed,
        day=found.day,
        last_day=found.last_day,
        player=found.player,
        player_name=found.player_name,
        is_over=found.is_over,
        is_battle_waiting=found.is_battle_waiting,
        created_at=found.created_at,
        updated_at=found.updated_at,
    )


def state_of(entry: CampaignEntry, recorder: BattleRecorder) -> CampaignState:
    """Describe a campaign as it is on the disk.

    Raises:
        CampaignUnknown: It could not be read.
    """
    document, view = entry.document, entry.view
    if document is None or view is None:
        raise CampaignUnknown.of(entry.campaign_id)
    return CampaignState(
        campaign_id=document.campaign_id,
        world=document.world,
        name=document.name,
        created_at=document.created_at,
        updated_at=document.updated_at,
        is_played=entry.is_played,
        view=dict(view),
        recordings=[_recording(recorder, document.campaign_id, battle_id) for battle_id in document.battles],
    )


def _recording(recorder: BattleRecorder, campaign_id: str, battle_id: str) -> BattleRecording:
    state = recorder.state(campaign_id, battle_id)
    return BattleRecording(
        battle_id=battle_id,
        status=state.status,
        steps=state.steps,
        run_id=state.run_id,
        replay_id=state.replay_id,
        problem=state.problem,
    )
