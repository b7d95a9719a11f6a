"""A city is besieged, never captured in one battle: purge, conquest and what follows."""

import pytest

from diorama.contracts.errors import ContractError
from diorama.worlds.tidebreak.campaign import Campaign
from diorama.worlds.tidebreak.campaign.battles.aftermath import apply_result
from diorama.worlds.tidebreak.campaign.battles.encounter_making import new_encounter
from diorama.worlds.tidebreak.campaign.battles.package import battle_package
from diorama.worlds.tidebreak.campaign.diplomacy.wars import declare_war
from diorama.worlds.tidebreak.campaign.fleets.missions import assign, new_mission
from diorama.worlds.tidebreak.campaign.fleets.muster import new_ship
from diorama.worlds.tidebreak.campaign.kinds import ConquestState, EncounterKind, MissionKind, SiegeAction
from diorama.worlds.tidebreak.campaign.sieges.actions import act, legal_actions
from diorama.worlds.tidebreak.campaign.sieges.conquest import hold_conquests
from diorama.worlds.tidebreak.campaign.sieges.landings import begin_siege, land_on_beaches
from diorama.worlds.tidebreak.campaign.sieges.waging import wage_sieges
from diorama.worlds.tidebreak.campaign.state import CampaignState, Force, Siege
from diorama.worlds.tidebreak.codes import BoardingStatus
from diorama.worlds.tidebreak.packages.outcomes import BoardingOutcome
from tests.worlds.tidebreak.campaign.quick_fight import quick_fight


def besieged(state: CampaignState, *, troops: float) -> Siege:
    declare_war(state, "dominion", "accord", cause=None)
    return begin_siege(state, state.hub("new_providence"), "dominion", troops, 0.6, cause=None)


def wage(state: CampaignState, days: int) -> None:
    for _ in range(days):
        state.day += 1
        wage_sieges(state)
        if not state.sieges:
            return


def test_an_established_beachhead_begins_a_siege(bots: Campaign) -> None:
    state = bots.state
    hub = state.hub("new_providence")
    declare_war(state, "dominion", "accord", cause=None)
    state.fleet("fleet-3").node = hub.id
    encounter = new_encounter(
        state,
        EncounterKind.ASSAULT,
        hub.id,
        attacker=Force(faction="dominion", fleets=["fleet-3"], origin="north_reach"),
        defender=Force(faction="accord", fleets=[], fixtures=[str(hub.hull)]),
        key=(3, 9),
        cause=None,
    )
    boarding = BoardingOutcome(
        target_ship_id=str(hub.hull),
        attacker_team_id="dominion",
        status=BoardingStatus.ESTABLISHED,
        transfer_progress=1.0,
        troops_inserted=420.0,
        breach_quality=0.8,
    )
    result = quick_fight(battle_package(state, encounter), {})

    apply_result(state, encounter, result.model_copy(update={"boarding_outcomes": (boarding,)}))

    siege = state.sieges[0]
    assert (siege.attacker, siege.defender, siege.troops) == ("dominion", "accord", 420.0)
    assert siege.control == pytest.approx(0.15 + 0.25 * 0.8)


def test_too_few_troops_are_purged(bots: Campaign) -> None:
    besieged(bots.state, troops=150.0)

    wage(bots.state, 90)

    assert not bots.state.sieges
    assert bots.state.hub("new_providence").owner == "accord"
    assert "is purged of the last invaders" in bots.state.news[-1].text


def test_enough_troops_conquer_a_city_whose_government_has_failed(bots: Campaign) -> None:
    state = bots.state
    hub = state.hub("new_providence")
    besieged(state, troops=6000.0)
    hub.government.legitimacy = 0.2
    state.fleet("fleet-3").node = hub.id

    wage(state, 60)

    assert hub.owner == "dominion"
    assert state.node("farm_east").owner == "dominion"
    assert hub.government.legitimacy == pytest.approx(0.25)
    assert hub.conquest is not None
    assert hub.conquest.state is ConquestState.OCCUPIED
    assert hub.conquest.resistance == pytest.approx(0.875, abs=0.01)


def test_the_last_hub_and_the_last_fleet_lost_end_the_campaign(bots: Campaign) -> None:
    state = bots.state
    hub = state.hub("new_providence")
    besieged(state, troops=6000.0)
    hub.government.legitimacy = 0.2
    wage(state, 90)
    fleet = state.fleet("fleet-1")
    for name in list(fleet.ships):
        del state.ships[name]
    fleet.ships, fleet.supply = [], dict.fromkeys(fleet.supply, 0.0)
    state.fleets.remove(fleet)

    report = bots.advance()

    assert report.ending is not None
    assert report.ending.reason == "the Thalassic Accord is defeated"
    assert report.ending.winner == "dominion"


@pytest.mark.parametrize(
    ("action", "control", "legitimacy"),
    [
        pytest.param(SiegeAction.QUARANTINE, -0.02, 0.0, id="quarantine"),
        pytest.param(SiegeAction.PURGE, -0.04, 0.0, id="purge"),
        pytest.param(SiegeAction.PROPAGANDA, 0.0, 0.02, id="propaganda"),
        pytest.param(SiegeAction.SCUTTLE_SYSTEMS, -0.10, -0.15, id="scuttle"),
    ],
)
def test_defenders_act_once_in_five_days(
    bots: Campaign, action: SiegeAction, control: float, legitimacy: float
) -> None:
    state = bots.state
    siege, hub = besieged(state, troops=500.0), state.hub("new_providence")
    before = siege.control, hub.government.legitimacy
    early = legal_actions(state, siege, "accord")
    state.day = 5

    act(state, siege, "accord", action)

    assert early == []
    assert siege.control == pytest.approx(before[0] + control)
    assert hub.government.legitimacy == pytest.approx(before[1] + legitimacy)
    with pytest.raises(ContractError, match="cannot PURGE at new_providence today"):
        act(state, siege, "accord", SiegeAction.PURGE)


def test_a_ransom_ends_a_weak_siege(bots: Campaign) -> None:
    state = bots.state
    siege = besieged(state, troops=500.0)
    siege.control, state.day = 0.2, 5

    act(state, siege, "accord", SiegeAction.NEGOTIATE)

    assert not state.sieges


def test_transports_at_an_undefended_port_put_their_marines_ashore(bots: Campaign) -> None:
    state = bots.state
    declare_war(state, "dominion", "free_port", cause=None)
    fleet = state.fleet("fleet-3")
    fleet.node = "free_port"
    assign(state, new_mission(state, "dominion", MissionKind.INVASION, "free_port", "free_port", days=30), [fleet])

    land_on_beaches(state)

    assert state.sieges[0].troops == 300.0
    assert state.sieges[0].control == pytest.approx(0.15)
    assert sum(ship.marines == 0 for ship in state.ships_of(fleet)) == 1


def test_resistance_fades_and_a_calm_hub_is_pacified_then_integrated(bots: Campaign) -> None:
    state = bots.state
    hub = state.hub("new_providence")
    besieged(state, troops=6000.0)
    hub.government.legitimacy = 0.2
    wage(state, 90)
    seen = [ConquestState.OCCUPIED]

    for _ in range(400):
        state.day += 1
        hold_conquests(state)
        if hub.conquest is not None and hub.conquest.state is not seen[-1]:
            seen.append(hub.conquest.state)

    assert ConquestState.CONTESTED in seen
    assert seen[-2:] == [ConquestState.PACIFIED, ConquestState.INTEGRATED]


def test_more_marines_strengthen_a_siege(bots: Campaign) -> None:
    state = bots.state
    siege = besieged(state, troops=500.0)
    fleet = state.fleet("fleet-3")
    fleet.node, state.day = "new_providence", 5
    ship = new_ship(state, "assault_transport", "dominion", "ironhold")
    fleet.ships.append(ship.id)

    act(state, siege, "dominion", SiegeAction.REINFORCE)

    assert siege.troops == 1100.0
    assert ship.marines == 0
