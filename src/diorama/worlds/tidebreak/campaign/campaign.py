"""A campaign that is played day by day."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from diorama.contracts.errors import ContractError, EpisodeOver
from diorama.contracts.work import checkpoint
from diorama.worlds.tidebreak.campaign.battles.aftermath import apply_result
from diorama.worlds.tidebreak.campaign.battles.briefing import briefing
from diorama.worlds.tidebreak.campaign.battles.fighting import Fight, fight
from diorama.worlds.tidebreak.campaign.battles.package import battle_package
from diorama.worlds.tidebreak.campaign.day import play_day
from diorama.worlds.tidebreak.campaign.orders import Order, carry_out_order, legal_orders, parse_order
from diorama.worlds.tidebreak.campaign.saves import from_text, read_save, to_text, write_save
from diorama.worlds.tidebreak.campaign.scenarios import DEFAULT_SCENARIO, Scenario, load_campaign_scenario
from diorama.worlds.tidebreak.campaign.scenarios.founding import found
from diorama.worlds.tidebreak.campaign.score import score
from diorama.worlds.tidebreak.campaign.state import CampaignState, Ending, News
from diorama.worlds.tidebreak.campaign.telling.chronicle import explain, news_of_day
from diorama.worlds.tidebreak.packages import BattlePackage, BattleResult


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingBattle:
    """A battle that waits for the player.

    Attributes:
        package: What to fight; `campaign.apply` takes its result.
        briefing: What the player should know, in a few lines.
        side: Team id of the player.
    """

    package: BattlePackage
    briefing: str
    side: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DayReport:
    """What happened since the last call.

    Attributes:
        day: The day that was played last.
        days: How many days came to their end.
        news: In the order they happened; `campaign.explain` follows their causes.
        pending: A battle that stopped the day, None if the day is over.
        ending: How the campaign ended, None while it goes on.
    """

    day: int
    days: int
    news: tuple[News, ...]
    pending: PendingBattle | None
    ending: Ending | None


class Campaign:
    """The strategic layer: factions, economy and politics, with battles handed to the arena.

    Attributes:
        state: Everything there is; for reading.
    """

    def __init__(
        self,
        scenario: str | Scenario = DEFAULT_SCENARIO,
        seed: int = 1,
        player: str | None = "accord",
        *,
        fight: Fight = fight,
        state: CampaignState | None = None,
    ) -> None:
        """Begin a campaign.

        Args:
            scenario: Name of a stored scenario, or one of your own.
            seed: 1 to 2^53 - 1; the same seed and orders give the same campaign.
            player: Faction whose orders come from `submit`; None lets bots play all.
            fight: Who fights the battles.
            state: Goes on from here instead of beginning anew; the other arguments but `fight` are ignored.
        """
        self._fight = fight
        if state is None:
            name = scenario if isinstance(scenario, str) else "custom"
            loaded = load_campaign_scenario(scenario) if isinstance(scenario, str) else scenario
            state = found(loaded, name=name, seed=seed, player=player)
        self.state = state

    @property
    def day(self) -> int:
        """The day that is being or was last played."""
        return self.state.day

    @property
    def ending(self) -> Ending | None:
        """How it ended, None while it goes on."""
        return self.state.ending

    @property
    def pending_battle(self) -> PendingBattle | None:
        """The battle that waits for the player, None if none does."""
        if not self.state.is_waiting:
            return None
        encounter = self.state.encounters[0]
        package = battle_package(self.state, encounter)
        side = str(self.state.player)
        return PendingBattle(package=package, briefing=briefing(self.state, encounter, package), side=side)

    def orders(self) -> list[Order]:
        """Return every order the player may give now."""
        return legal_orders(self.state)

    def submit(self, order: Order | str) -> str:
        """Give an order, as one of `orders()` or as its code such as `move fleet-1 narrows`.

        Returns:
            What was done, in a sentence.

        Raises:
            ContractError: It is not allowed now, with the reason.
            UnknownName: It names something that does not exist.
        """
        return carry_out_order(self.state, parse_order(order) if isinstance(order, str) else order)

    def advance(self, days: int = 1, *, autopilot: bool = False) -> DayReport:
        """Play days until a battle waits for the player or the campaign ends.

        Args:
            days: How many at most, 1 or more.
            autopilot: A bot decides for the player on these days, battles included.

        Raises:
            ContractError: A battle waits; `apply` its result or call `auto` first.
            EpisodeOver: The campaign has ended.
        """
        if days < 1:
            raise ContractError(f"advance takes 1 day or more, not {days}")
        if self.ending is not None:
            raise EpisodeOver(f"the campaign ended on day {self.ending.day}: {self.ending.reason}")
        if self.state.is_waiting:
            raise ContractError("a battle waits: apply its result, or let it be fought with auto()")
        first_news = len(self.state.news)
        self.state.is_autopilot = autopilot
        played = 0
        while played < days and self.ending is None:
            checkpoint()
            if not play_day(self.state, self._fight):
                break
            played += 1
        self.state.is_autopilot = False
        return self._report(first_news, played)

    def apply(self, result: BattleResult) -> DayReport:
        """Take the result of the pending battle and finish the day.

        Raises:
            ContractError: No battle waits, or this one has been applied.
            ResultError: It is not a result of the pending package.
        """
        if any(record.battle_id == result.battle_id for record in self.state.battles):
            raise ContractError(f"the result of battle {result.battle_id} has been applied already")
        if not self.state.is_waiting:
            raise ContractError("no battle waits for a result")
        first_news = len(self.state.news)
        apply_result(self.state, self.state.encounters[0], result)
        self.state.is_waiting = False
        played = int(play_day(self.state, self._fight))
        return self._report(first_news, played)

    def auto(self, controllers: Mapping[str, str] | None = None) -> DayReport:
        """Let the pending battle be fought, by scripts unless controllers say otherwise, and apply its result."""
        pending = self.pending_battle
        if pending is None:
            raise ContractError("no battle waits")
        return self.apply(self._fight(pending.package, controllers or {}))

    def play_to_end(self) -> Ending:
        """Let bots play all factions until the campaign ends."""
        if self.state.is_waiting:
            self.auto()
        while self.ending is None:
            self.advance(self.state.last_day, autopilot=True)
        return self.ending

    def news(self, day: int | None = None) -> list[News]:
        """Return the news of a day, the last one unless given."""
        return news_of_day(self.state, self.day if day is None else day)

    def explain(self, number: int) -> list[News]:
        """Walk from a piece of news to the root of its causes."""
        return explain(self.state, number)

    def score(self, faction_id: str | None = None) -> float:
        """Return a faction's score, the player's unless given."""
        chosen = faction_id if faction_id is not None else self.state.player
        if chosen is None:
            raise ContractError("nobody plays; name a faction")
        return score(self.state, chosen)

    def save(self, path: Path) -> None:
        """Write the campaign to a file, whole or not at all."""
        write_save(self.state, path)

    def to_text(self) -> str:
        """Return the save as text; equal campaigns give equal text."""
        return to_text(self.state)

    @classmethod
    def load(cls, path: Path, *, fight: Fight = fight) -> Self:
        """Go on from a save; the future is the same as if it had never been saved."""
        return cls(state=read_save(path), fight=fight)

    @classmethod
    def from_text(cls, text: str, *, fight: Fight = fight) -> Self:
        """Go on from the text of a save."""
        return cls(state=from_text(text), fight=fight)

    def _report(self, first_news: int, played: int) -> DayReport:
        return DayReport(
            day=self.day,
            days=played,
            news=tuple(self.state.news[first_news:]),
            pending=self.pending_battle,
            ending=self.ending,
        )
