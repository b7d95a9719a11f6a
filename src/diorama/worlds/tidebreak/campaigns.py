"""The campaigns of tidebreak as the platform plays them; the strategic layer is loaded when it is first asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from diorama.contracts.campaigns import (
    CampaignBattle,
    CampaignFaction,
    CampaignFacts,
    CampaignScenario,
    OnBattle,
    PendingCampaignBattle,
)
from diorama.contracts.errors import ConfigError, ContractError, DocumentError
from diorama.contracts.values import JsonObject

if TYPE_CHECKING:
    from diorama.worlds.tidebreak.campaign import Campaign
    from diorama.worlds.tidebreak.campaign.battles.fighting import Fight
    from diorama.worlds.tidebreak.packages import BattlePackage

_PREFIX: Final = "script:"
_AUTO: Final = "auto"


class TidebreakCampaigns:
    """Starts and loads campaigns."""

    def scenarios(self) -> Sequence[CampaignScenario]:
        """Return the opening positions, the usual one first."""
        from diorama.worlds.tidebreak.campaign import DEFAULT_SCENARIO, campaign_names

        names = sorted(campaign_names(), key=lambda name: (name != DEFAULT_SCENARIO, name))
        return [_scenario(name) for name in names]

    def start(self, scenario: str, seed: int, player: str | None, on_battle: OnBattle) -> TidebreakGame:
        """Begin a campaign."""
        from diorama.worlds.tidebreak.campaign import Campaign

        return TidebreakGame(Campaign(scenario, seed, player, fight=_told(on_battle)))

    def load(self, text: str, on_battle: OnBattle) -> TidebreakGame:
        """Go on from a save."""
        from diorama.worlds.tidebreak.campaign import Campaign

        try:
            return TidebreakGame(Campaign.from_text(text, fight=_told(on_battle)))
        except (ValueError, RecursionError):
            # Numbers that are none, or nesting without end: no campaign writes them.
            raise DocumentError("save: is damaged or no campaign: it holds values that no campaign has") from None


class TidebreakGame:
    """One campaign."""

    def __init__(self, played: Campaign) -> None:
        """Take a campaign as it stands."""
        self._played = played

    def facts(self) -> CampaignFacts:
        """Return where it stands."""
        state = self._played.state
        return CampaignFacts(
            scenario=state.scenario,
            seed=state.seed,
            day=state.day,
            last_day=state.last_day,
            player=state.player,
            player_name=None if state.player is None else state.faction(state.player).name,
            is_over=state.ending is not None,
            is_battle_waiting=state.is_waiting,
        )

    def view(self) -> JsonObject:
        """Return everything a page shows of it."""
        from diorama.worlds.tidebreak.campaign import campaign_view

        return campaign_view(self._played)

    def submit(self, order: str) -> str:
        """Give an order by its code."""
        return self._played.submit(order)

    def advance(self, days: int, *, autopilot: bool) -> int:
        """Play days until a battle waits or the campaign ends, and return how many came to their end."""
        return self._played.advance(days, autopilot=autopilot).days

    def pending(self) -> PendingCampaignBattle | None:
        """Return the battle that waits for the player, None if none does."""
        waiting = self._played.pending_battle
        if waiting is None:
            return None
        return PendingCampaignBattle(
            package=waiting.package.model_dump(mode="json"), briefing=waiting.briefing, side=waiting.side
        )

    def fight(self, scripts: Mapping[str, str], own_script: str | None) -> None:
        """Let the pending battle be fought and finish the day."""
        waiting = self._played.pending_battle
        if waiting is None:
            raise ContractError("no battle waits")
        ships = {ship.ship_id: ship.team_id for ship in waiting.package.ships}
        for ship_id in scripts:
            if ship_id not in ships:
                raise ConfigError(f"no ship {ship_id!r} takes part; there are: {', '.join(ships)}")
        own = {ship_id: own_script for ship_id, team in ships.items() if team == waiting.side and own_script}
        self._played.auto({ship_id: _named(script) for ship_id, script in {**own, **scripts}.items()})

    def apply(self, result: JsonObject) -> None:
        """Take the result of the pending battle that was fought elsewhere and finish the day."""
        from diorama.worlds.tidebreak.packages import ResultError, read_result

        try:
            self._played.apply(read_result(dict(result)))
        except ResultError as error:
            raise ContractError(f"this is no result of the battle that waits: {error}") from None

    def save(self) -> str:
        """Return the campaign as text; equal campaigns give equal text."""
        return self._played.to_text()


def _scenario(name: str) -> CampaignScenario:
    from diorama.worlds.tidebreak.campaign.scenarios import load_campaign_scenario

    loaded = load_campaign_scenario(name)
    return CampaignScenario(
        id=name,
        name=loaded.name,
        summary=loaded.summary,
        last_day=loaded.last_day,
        factions=tuple(CampaignFaction(id=one.id, name=one.name) for one in loaded.factions if one.is_major),
    )


def _named(script: str) -> str:
    from diorama.worlds.tidebreak.reference.scripts import controller_named

    return controller_named(_PREFIX + script.removeprefix(_PREFIX)).name


def _told(on_battle: OnBattle) -> Fight:
    """Return a way to fight that tells of every battle."""
    from diorama.worlds.tidebreak.campaign.battles.fighting import fight
    from diorama.worlds.tidebreak.packages import BattleResult

    def fight_and_tell(package: BattlePackage, controllers: Mapping[str, str]) -> BattleResult:
        result = fight(package, controllers)
        on_battle(_episode(package, controllers))
        return result

    return fight_and_tell


def _episode(package: BattlePackage, controllers: Mapping[str, str]) -> CampaignBattle:
    from diorama.worlds.tidebreak.reference.seats import is_controllable
    from diorama.worlds.tidebreak.resolve import resolve

    battle = resolve(package).battle
    commanded = [unit.ship_id for unit in battle.units if is_controllable(battle, unit)]
    # Every ship is named, so that none takes the seat of a player who does nothing.
    scripts = {ship_id: controllers.get(ship_id, _AUTO).removeprefix(_PREFIX) for ship_id in commanded}
    return CampaignBattle(
        battle_id=battle.battle_id,
        config={"package": package.model_dump(mode="json"), "controllers": scripts},
        episode_seed=battle.seed - 1,  # an episode fights with the seed one above its own
        max_steps=battle.rules.time_limit_ticks,
    )


CAMPAIGNS: Final = TidebreakCampaigns()
