"""`Campaigns`: what a world offers whose episodes are the battles of a longer game, played day by day."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from diorama.contracts.values import JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignFaction:
    """A side that a person may lead."""

    id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignScenario:
    """An opening position; `last_day` is the day on which the campaign ends at the latest."""

    id: str
    name: str
    summary: str
    last_day: int
    factions: tuple[CampaignFaction, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignBattle:
    """A battle of a campaign as an episode of the world, in which nobody has a seat.

    Attributes:
        battle_id: Unlike that of any other battle of the campaign.
        config: Configuration of the world; the episode of `episode_seed` in it is the battle.
        episode_seed: Which episode.
        max_steps: Decisions after which it is over at the latest.
    """

    battle_id: str
    config: JsonObject
    episode_seed: int
    max_steps: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingCampaignBattle:
    """A battle that waits for the player: what to fight, what to know about it, and the player's team."""

    package: JsonObject
    briefing: str
    side: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignFacts:
    """Where a campaign stands, in short; `player` and `player_name` are None where bots play all."""

    scenario: str
    seed: int
    day: int
    last_day: int
    player: str | None
    player_name: str | None
    is_over: bool
    is_battle_waiting: bool


OnBattle: TypeAlias = Callable[[CampaignBattle], None]
"""Told about every battle that is fought, after its end."""


class CampaignGame(Protocol):
    """One campaign."""

    def facts(self) -> CampaignFacts:
        """Return where it stands."""
        ...

    def view(self) -> JsonObject:
        """Return everything a page shows of it."""
        ...

    def submit(self, order: str) -> str:
        """Give an order by its code.

        Returns:
            What was done, in a sentence.

        Raises:
            ContractError: It is not allowed now, with the reason.
            UnknownName: It names something that does not exist.
        """
        ...

    def advance(self, days: int, *, autopilot: bool) -> int:
        """Play days until a battle waits or the campaign ends, and return how many came to their end.

        Raises:
            ContractError: A battle waits.
            EpisodeOver: The campaign has ended.
        """
        ...

    def pending(self) -> PendingCampaignBattle | None:
        """Return the battle that waits for the player, None if none does."""
        ...

    def fight(self, scripts: Mapping[str, str], own_script: str | None) -> None:
        """Let the pending battle be fought and finish the day.

        Args:
            scripts: Scripts of ships by name.
            own_script: Script of the player's other ships; the usual one if None.

        Raises:
            ConfigError: A ship or a script does not exist.
            ContractError: No battle waits.
        """
        ...

    def apply(self, result: JsonObject) -> None:
        """Take the result of the pending battle that was fought elsewhere and finish the day.

        Raises:
            DioramaError: No battle waits, or it is no result of this one.
        """
        ...

    def save(self) -> str:
        """Return the campaign as text; equal campaigns give equal text."""
        ...


class Campaigns(Protocol):
    """The campaigns of a world."""

    def scenarios(self) -> Sequence[CampaignScenario]:
        """Return the opening positions, the usual one first."""
        ...

    def start(self, scenario: str, seed: int, player: str | None, on_battle: OnBattle) -> CampaignGame:
        """Begin a campaign; without a player bots play all.

        Raises:
            ConfigError: The seed is out of range.
            UnknownName: There is no such scenario or faction.
        """
        ...

    def load(self, text: str, on_battle: OnBattle) -> CampaignGame:
        """Go on from a save.

        Raises:
            DocumentError: It is damaged, or no save of this world and version.
        """
        ...
