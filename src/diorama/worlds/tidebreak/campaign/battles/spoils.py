"""Goods that hang on a battle: cargo of convoys, salvage of wrecks."""

from typing import Final

from diorama.worlds.tidebreak.campaign.battles.fates import Toll
from diorama.worlds.tidebreak.campaign.economy.stocks import hub_gain, move, use
from diorama.worlds.tidebreak.campaign.kinds import Flow, Resource
from diorama.worlds.tidebreak.campaign.state import CampaignState, Encounter
from diorama.worlds.tidebreak.campaign.sums import total
from diorama.worlds.tidebreak.campaign.telling.chronicle import report
from diorama.worlds.tidebreak.packages import BattleResult

_SALVAGE_PER_COST: Final = 3.0


def settle_cargo(state: CampaignState, encounter: Encounter, tolls: dict[str, Toll], *, cause: int) -> None:
    """Deliver what the surviving freighters carry; captured cargo is the captor's, the rest sinks."""
    merchants = encounter.defender.merchants
    if not merchants or encounter.receiver is None or encounter.sender is None:
        return
    share = 1.0 / len(merchants)
    arrived = sum(not tolls[ship.id].is_lost for ship in merchants) * share
    captors = [toll.captor for toll in (tolls[ship.id] for ship in merchants) if toll.captor is not None]
    receiver, sender = state.hub(encounter.receiver), state.hub(encounter.sender)
    prize_hub = state.hub(state.faction(captors[0]).capital) if captors else None
    delivered = 0.0
    for resource in Resource:
        amount = encounter.cargo[resource]
        delivered += move(encounter.cargo, receiver.stock, resource, amount * arrived)
        if prize_hub is not None:
            move(encounter.cargo, prize_hub.stock, resource, amount * share * len(captors))
        use(state, encounter.cargo, resource, encounter.cargo[resource], Flow.LOST)
    for owner in sorted({sender.owner, receiver.owner}):
        state.faction(owner).goods_delivered += delivered
    text = f"{delivered:,.0f} units of the attacked shipment reach {receiver.name}"
    report(state, "trade", text, factions=sorted({sender.owner, receiver.owner}), node=receiver.id, cause=cause)


def bring_salvage(state: CampaignState, encounter: Encounter, result: BattleResult, costs: dict[str, float]) -> None:
    """Bring what can be raised to the capital of the side that holds the field."""
    if result.winner_team_id is None:
        return
    worth = total(
        outcome.salvage_value * costs[outcome.ship_id] for outcome in result.ships if outcome.fate.name in _WRECKS
    )
    if worth > 0.0:
        hub = state.hub(state.faction(result.winner_team_id).capital)
        hub_gain(state, hub, Resource.SALVAGE, worth * _SALVAGE_PER_COST, Flow.FOUND)


_WRECKS: Final = ("DESTROYED", "SCUTTLED")
