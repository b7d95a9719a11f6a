"""What the file of a campaign holds."""

from typing import Final, Literal

from diorama.contracts.campaigns import CampaignBattle, CampaignFacts
from diorama.runs.documents import Document, RawObject

FORMAT: Final = "diorama-campaign-1"


class CampaignDocument(Document, frozen=True, kw_only=True):
    """A campaign on the disk: the world's own save, and what the list of campaigns tells without reading it.

    Attributes:
        save: The text that the world goes on from.
        battles: Ids of the battles that can be recorded, oldest first.
    """

    format: Literal["diorama-campaign-1"]
    campaign_id: str
    world: str
    name: str
    created_at: str
    updated_at: str
    scenario: str
    seed: int
    day: int
    last_day: int
    player: str | None
    player_name: str | None
    is_over: bool
    is_battle_waiting: bool
    battles: tuple[str, ...]
    save: str

    @classmethod
    def of(
        cls,
        facts: CampaignFacts,
        *,
        campaign_id: str,
        world: str,
        name: str,
        created_at: str,
        updated_at: str,
        battles: tuple[str, ...],
        save: str,
    ) -> "CampaignDocument":
        """Describe a campaign as it stands."""
        return cls(
            format=FORMAT,
            campaign_id=campaign_id,
            world=world,
            name=name,
            created_at=created_at,
            updated_at=updated_at,
            scenario=facts.scenario,
            seed=facts.seed,
            day=facts.day,
            last_day=facts.last_day,
            player=facts.player,
            player_name=facts.player_name,
            is_over=facts.is_over,
            is_battle_waiting=facts.is_battle_waiting,
            battles=battles,
            save=save,
        )


class BattleDocument(Document, frozen=True, kw_only=True):
    """A battle that was fought, as an episode that can be played again and recorded."""

    battle_id: str
    config: RawObject
    episode_seed: int
    max_steps: int

    @classmethod
    def of(cls, battle: CampaignBattle) -> "BattleDocument":
        """Keep a battle."""
        return cls(
            battle_id=battle.battle_id,
            config=dict(battle.config),
            episode_seed=battle.episode_seed,
            max_steps=battle.max_steps,
        )
