"""Bodies and answers of campaigns."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from diorama.server.models.base import Answer, JsonObject

MAX_DAYS = 30
SEED_MAX = 2**53 - 1
MAX_SAVE_CHARACTERS = 1_000_000

Name = Annotated[str, Field(min_length=1, max_length=80, pattern=r"\S")]
Script = Annotated[str, Field(min_length=1, max_length=40)]


class Body(BaseModel):
    """A body whose keys are all known."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class CreateCampaign(Body):
    """Begin a campaign. Without a seed one is drawn; a player of null lets bots play all."""

    world: str | None = Field(default=None, max_length=64, description="The first world with campaigns if null.")
    scenario: str | None = Field(default=None, max_length=64, description="The usual one of the world if null.")
    seed: int | None = Field(default=None, ge=1, le=SEED_MAX, description="Luck of the campaign; drawn if null.")
    player: str | None = Field(default=None, max_length=64, description="Faction whose orders a person gives.")
    name: Name | None = Field(default=None, description="What it is called in lists; its leader and seed if null.")


class UploadCampaign(Body):
    """Go on from a save that was downloaded."""

    world: str | None = Field(default=None, max_length=64, description="The first world with campaigns if null.")
    save: str = Field(min_length=2, max_length=MAX_SAVE_CHARACTERS, description="The save, as a text.")
    name: Name | None = Field(default=None, description="What it is called in lists; its leader and seed if null.")


class GiveOrder(Body):
    """Give an order by its code, as the view lists it."""

    order: str = Field(min_length=1, max_length=400, description="Its code, such as 'move fleet-1 narrows'.")


class AdvanceCampaign(Body):
    """Play days; a battle that waits for the player, and the end, stop them early."""

    days: int = Field(default=1, ge=1, le=MAX_DAYS)
    autopilot: bool = Field(default=False, description="A bot decides for the player on these days.")


class FightBattle(Body):
    """Let the pending battle be fought by scripts."""

    own_script: Script | None = Field(default=None, description="Script of the player's ships; null for the usual one.")
    scripts: dict[str, Script] = Field(default_factory=dict, max_length=64, description="Scripts of ships by name.")


class ApplyResult(Body):
    """Take the result of the pending battle, which was fought elsewhere."""

    result: JsonObject = Field(description="The result, as `diorama tidebreak fight` writes it.")


class Faction(Answer):
    """A side that a person may lead."""

    id: str
    name: str


class ScenarioRow(Answer):
    """An opening position."""

    world: str
    id: str
    name: str
    summary: str
    last_day: int
    factions: list[Faction]


class ScenarioList(Answer):
    """All opening positions, the usual one of each world first."""

    scenarios: list[ScenarioRow]


class CampaignRow(Answer):
    """A campaign, in short; of one that cannot be read only the id and what is wrong."""

    campaign_id: str
    world: str | None = None
    name: str | None = None
    scenario: str | None = None
    seed: int | None = None
    day: int | None = None
    last_day: int | None = None
    player: str | None = None
    player_name: str | None = None
    is_over: bool = False
    is_battle_waiting: bool = False
    created_at: str | None = None
    updated_at: str | None = None
    problem: str | None = None


class CampaignList(Answer):
    """All campaigns, those that were played last first, and how many are kept at most."""

    campaigns: list[CampaignRow]
    count: int
    limit: int


class BattleRecording(Answer):
    """Whether a battle can be watched, and where; `replay_id` is there once it is ready."""

    battle_id: str
    status: Literal["none", "waiting", "recording", "ready", "failed"]
    steps: int
    run_id: str
    replay_id: str | None
    problem: str | None


class CampaignState(Answer):
    """A campaign as it is on the disk.

    Attributes:
        is_played: Whether a call that changes it is under way.
        view: What the world shows of it; its own README says what is in it.
        recordings: The battles that were fought on this server.
    """

    campaign_id: str
    world: str
    name: str
    created_at: str
    updated_at: str
    is_played: bool
    view: JsonObject
    recordings: list[BattleRecording]


class CampaignChange(Answer):
    """What was done, and the campaign afterwards."""

    done: str
    days: int
    state: CampaignState


class CampaignOrders(Answer):
    """The orders the player may give now, and how many are left today."""

    orders: list[JsonObject]
    orders_left: JsonObject


class PendingBattle(Answer):
    """The battle that waits for the player: `package` can be fought anywhere, and its result applied here."""

    package: JsonObject
    briefing: str
    side: str


class CampaignDeleted(Answer):
    """The campaign is gone."""

    campaign_id: str
    deleted: bool
