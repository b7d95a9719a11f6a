"""What a battle means to morale, governments and relations."""

from typing import Final

from diorama.worlds.tidebreak.campaign.battles.fates import Toll
from diorama.worlds.tidebreak.campaign.diplomacy.wars import note_attack, vengeance_for
from diorama.worlds.tidebreak.campaign.kinds import EncounterKind
from diorama.worlds.tidebreak.campaign.politics.legitimacy import change_legitimacy, government_row
from diorama.worlds.tidebreak.campaign.state import CampaignState, Encounter, Loss
from diorama.worlds.tidebreak.packages import BattleResult
from diorama.worlds.tidebreak.packages.outcomes import TeamOutcome

RECENT_DAYS: Final = 14
_VICTORY: Final = 0.03
_DECISIVE: Final = 0.05
_DEFEAT: Final = 0.04
_SURRENDER: Final = 0.06


def judge(
    state: CampaignState,
    encounter: Encounter,
    result: BattleResult,
    costs: dict[str, float],
    owners: dict[str, str],
    tolls: dict[str, Toll],
    *,
    cause: int,
) -> None:
    """Let both sides draw their conclusions."""
    attacker, defender = encounter.factions
    lost = dict.fromkeys((attacker, defender), 0.0)
    for ship_id, toll in tolls.items():
        if toll.is_lost:
            lost[owners[ship_id]] += costs[ship_id]
    for team in result.teams:
        other = defender if team.team_id == attacker else attacker
        faction = state.faction(team.team_id)
        faction.battle_modifier += team.morale_delta
        faction.losses.append(Loss(day=state.day, cost=lost[team.team_id]))
        vengeance_for(state, team.team_id, other, lost[team.team_id])
        _impress_capital(state, team, result.winner_team_id)
    _remember(state, encounter, result.winner_team_id)
    for report_ in result.megaship_reports:
        for hub in state.hubs:
            if hub.hull == report_.ship_id:
                change_legitimacy(hub, report_.legitimacy_impact)
                hub.security = min(hub.security, hub.population)
    note_attack(state, attacker, defender, is_convoy=encounter.kind is EncounterKind.CONVOY, cause=cause)


def _impress_capital(state: CampaignState, team: TeamOutcome, winner: str | None) -> None:
    capital = state.hub(state.faction(team.team_id).capital)
    if winner is None:
        return
    if winner == team.team_id:
        change_legitimacy(capital, _DECISIVE if team.decisive_victory else _VICTORY)
        return
    blow = _SURRENDER if team.ships_surrendered > 0 else _DEFEAT
    change_legitimacy(capital, -blow * government_row(capital).s_defeat)
    for hub in state.hubs_of(team.team_id):
        hub.lost_battles.append(state.day)


def _remember(state: CampaignState, encounter: Encounter, winner: str | None) -> None:
    if winner is None:
        return
    for force in (encounter.attacker, encounter.defender):
        for name in force.fleets:
            fleet = state.find_fleet(name)
            if fleet is None:
                continue
            days = fleet.wins if fleet.owner == winner else fleet.losses
            days.append(state.day)
            fleet.wins = [day for day in fleet.wins if state.day - day < RECENT_DAYS]
            fleet.losses = [day for day in fleet.losses if state.day - day < RECENT_DAYS]
