"""Taking a battle result into the campaign, once."""

from diorama.contracts.errors import ContractError
from diorama.contracts.values import sha256_hex
from diorama.worlds.tidebreak.campaign.battles.fates import Toll, burn_fuel, mourn, settle, wear
from diorama.worlds.tidebreak.campaign.battles.package import battle_package
from diorama.worlds.tidebreak.campaign.battles.regrouping import regroup, station_prizes, tow_home
from diorama.worlds.tidebreak.campaign.battles.roster import Combatant, roster_of
from diorama.worlds.tidebreak.campaign.battles.spoils import bring_salvage, settle_cargo
from diorama.worlds.tidebreak.campaign.battles.verdicts import judge
from diorama.worlds.tidebreak.campaign.fleets.muster import disband_empty
from diorama.worlds.tidebreak.campaign.fleets.strength import ship_cost
from diorama.worlds.tidebreak.campaign.sieges.landings import land_beachheads
from diorama.worlds.tidebreak.campaign.state import BattleRecord, CampaignState, Encounter
from diorama.worlds.tidebreak.campaign.telling.chronicle import report
from diorama.worlds.tidebreak.packages import BattleResult, check_result, to_canonical_json


def apply_result(state: CampaignState, encounter: Encounter, result: BattleResult) -> BattleRecord:
    """Apply the result of the first encounter on the list and take it off.

    Raises:
        ContractError: The battle was applied before.
        ResultError: It is not a result of this encounter.
    """
    if any(record.battle_id == result.battle_id for record in state.battles):
        raise ContractError(f"the result of battle {result.battle_id} has been applied already")
    check_result(result, battle_package(state, encounter))
    roster = roster_of(state, encounter)
    outcomes = {outcome.ship_id: outcome for outcome in result.ships}
    news = report(
        state,
        "battle",
        battle_words(state, encounter, result),
        factions=list(encounter.factions),
        node=encounter.node,
        cause=encounter.cause,
    )
    holder = result.winner_team_id
    costs = {combatant.ship.id: ship_cost(combatant.ship) for combatant in roster.all}
    owners = {combatant.ship.id: combatant.ship.owner for combatant in roster.all}
    tolls: dict[str, Toll] = {}
    for combatant in roster.all:
        outcome = outcomes[combatant.ship.id]
        wear(combatant, outcome)
        burn_fuel(state, combatant, outcome)
        mourn(state, combatant, outcome)
        tolls[combatant.ship.id] = settle(state, combatant, outcome, holder=holder)
    settle_cargo(state, encounter, tolls, cause=news)
    bring_salvage(state, encounter, result, costs)
    station_prizes(state, encounter, _prizes(roster.all, tolls))
    tow_home(state, roster.all, result, tolls)
    regroup(state, encounter, roster.all, result, tolls)
    judge(state, encounter, result, costs, owners, tolls, cause=news)
    land_beachheads(state, encounter, result, cause=news)
    state.encounters.remove(encounter)
    disband_empty(state)
    record = BattleRecord(
        battle_id=result.battle_id,
        day=state.day,
        node=encounter.node,
        factions=list(encounter.factions),
        winner=result.winner_team_id,
        sha256=sha256_hex(to_canonical_json(result)),
        summary=state.news[news - 1].text,
    )
    state.battles.append(record)
    return record


def battle_words(state: CampaignState, encounter: Encounter, result: BattleResult) -> str:
    """Tell a battle in one sentence."""
    place = state.node(encounter.node).name
    lost = [f"{state.faction(team.team_id).name} {team.ships_lost + team.ships_captured}" for team in result.teams]
    end = f"after {result.duration_s / 60.0:.0f} minutes; ships lost: {', '.join(lost)}"
    if result.winner_team_id is None:
        return f"the battle at {place} ends undecided {end}"
    return f"the {state.faction(result.winner_team_id).name} wins the battle at {place} {end}"


def _prizes(combatants: tuple[Combatant, ...], tolls: dict[str, Toll]) -> list[Combatant]:
    return [combatant for combatant in combatants if tolls[combatant.ship.id].captor is not None]
