"""Orders to governments and abroad: which are legal, and what they do."""

from collections.abc import Iterator

from diorama.contracts.errors import ContractError
from diorama.worlds.tidebreak.campaign.content import tables
from diorama.worlds.tidebreak.campaign.diplomacy.covert import act_covertly
from diorama.worlds.tidebreak.campaign.diplomacy.treaties import can_offer, offer_treaty, sign
from diorama.worlds.tidebreak.campaign.kinds import ActionKind, DecisionKind, GoalKind, TreatyKind
from diorama.worlds.tidebreak.campaign.orders.order import Order, Verb
from diorama.worlds.tidebreak.campaign.politics.decision_effects import decision_words
from diorama.worlds.tidebreak.campaign.politics.decision_targets import build_materials, legal_targets
from diorama.worlds.tidebreak.campaign.politics.proposals import can_propose, propose
from diorama.worlds.tidebreak.campaign.politics.voting import price_of_passing, support_for, threshold_for
from diorama.worlds.tidebreak.campaign.state import CampaignState, Goal, Hub, Offer

OFFERED = (TreatyKind.NON_AGGRESSION, TreatyKind.MUTUAL_DEFENSE, TreatyKind.VASSALAGE)
"""Treaties that need no decision of the capital; trade and peace are proposed there."""


def policy_orders(state: CampaignState, player: str) -> Iterator[Order]:
    """Give every order of policy that is legal now."""
    for hub in state.hubs_of(player):
        for kind in DecisionKind:
            for target in legal_targets(state, hub, kind):
                if can_propose(state, hub, kind, target):
                    yield from _proposals(state, hub, kind, target)
    for other in state.others(player):
        for treaty in OFFERED:
            if can_offer(state, player, other.id, treaty):
                text = f"offer the {other.name} a treaty: {treaty.lower().replace('_', ' ')}"
                yield Order(verb=Verb.OFFER, arguments=(other.id, treaty.value), text=text)
        if _can_act_covertly(state, player):
            text = f"sabotage or agitate against the {other.name} (8 action points)"
            yield Order(verb=Verb.COVERT, arguments=(other.id,), text=text)
    for offer in state.offers:
        if offer.to == player:
            words = f"the offer of the {state.faction(offer.by).name}: {offer.kind.lower().replace('_', ' ')}"
            yield Order(verb=Verb.ACCEPT, arguments=(str(offer.number),), text=f"accept {words}")
            yield Order(verb=Verb.DECLINE, arguments=(str(offer.number),), text=f"decline {words}")


def order_policy(state: CampaignState, player: str, order: Order) -> str:
    """Carry out an order of policy.

    Raises:
        ContractError: It is not allowed.
    """
    match order.verb:
        case Verb.PROPOSE | Verb.PRESS:
            return _propose(state, player, order)
        case Verb.OFFER:
            return _offer(state, player, *order.arguments)
        case Verb.COVERT:
            return _act_covertly(state, player, order.arguments[0])
        case _:
            return _answer(state, player, order)


def _proposals(state: CampaignState, hub: Hub, kind: DecisionKind, target: str | None) -> Iterator[Order]:
    arguments = (hub.id, kind.value) if target is None else (hub.id, kind.value, target)
    support, threshold = support_for(hub, kind, target), threshold_for(hub, kind)
    what = f"{hub.name}: propose {decision_words(state, hub, kind, target)}"
    cost = f", {build_materials(str(target)):,.0f} materials" if kind is DecisionKind.BUILD else ""
    text = f"{what} ({support:.0%} in favor, {threshold:.0%} needed{cost})"
    yield Order(verb=Verb.PROPOSE, arguments=arguments, text=text)
    price = price_of_passing(hub, kind, target, is_pressed=True)
    if support < threshold and price is not None:
        pressed = f"{what} and force it for {price.capital:.0f} political capital"
        yield Order(verb=Verb.PRESS, arguments=arguments, text=pressed)


def _propose(state: CampaignState, player: str, order: Order) -> str:
    hub = state.hub(order.arguments[0])
    if hub.owner != player:
        raise ContractError(f"{hub.name} is not yours; your hubs are: {', '.join(h.id for h in state.hubs_of(player))}")
    name = order.arguments[1].upper()
    if name not in DecisionKind.__members__:
        raise ContractError(f"{order.arguments[1]!r} is no decision; there are: {', '.join(DecisionKind)}")
    kind = DecisionKind[name]
    target = order.arguments[2] if len(order.arguments) > 2 else None
    targets = legal_targets(state, hub, kind)
    if target is None and targets and None not in targets:
        raise ContractError(f"{kind} needs a target: {', '.join(str(option) for option in targets)}")
    propose(state, hub, kind, target, proposer=player, is_pressed=order.verb is Verb.PRESS)
    return f"{hub.name} will decide on {decision_words(state, hub, kind, target)}"


def _offer(state: CampaignState, player: str, other: str, name: str) -> str:
    faction = state.faction(other)
    if name.upper() not in [kind.value for kind in OFFERED]:
        options = ", ".join(kind.value for kind in OFFERED)
        raise ContractError(
            f"{name!r} cannot be offered directly; use one of {options}, or propose OPEN_TRADE or OFFER_PEACE"
        )
    kind = TreatyKind[name.upper()]
    if faction.id == player or not can_offer(state, player, faction.id, kind):
        raise ContractError(f"a treaty of {kind} with the {faction.name} makes no sense today")
    signed = offer_treaty(state, player, faction.id, kind, cause=None)
    return f"the {faction.name} {'signs' if signed else 'declines'}"


def _answer(state: CampaignState, player: str, order: Order) -> str:
    offer: Offer | None = next(
        (o for o in state.offers if o.to == player and str(o.number) == order.arguments[0]), None
    )
    if offer is None:
        raise ContractError(f"there is no offer {order.arguments[0]} to answer")
    state.offers.remove(offer)
    words = offer.kind.lower().replace("_", " ")
    if order.verb is Verb.DECLINE:
        return f"you decline: {words}"
    sign(state, offer.by, offer.to, offer.kind, cause=offer.news)
    return f"you sign: {words}"


def _can_act_covertly(state: CampaignState, player: str) -> bool:
    row = tables().actions[ActionKind.COVERT]
    return state.day >= row.grace_day and state.faction(player).action_points >= row.cost


def _act_covertly(state: CampaignState, player: str, other: str) -> str:
    row = tables().actions[ActionKind.COVERT]
    faction, target = state.faction(player), state.faction(other)
    if not _can_act_covertly(state, player) or target is faction:
        raise ContractError(
            f"covert action needs another faction, {row.cost:.0f} action points (there are {faction.action_points:.0f})"
            f" and day {row.grace_day}"
        )
    goal = Goal(kind=GoalKind.WEAKEN, target=target.id, score=0.0)
    if not act_covertly(state, faction, goal, True):
        raise ContractError(f"the {target.name} has nothing to sabotage")
    faction.action_points -= row.cost
    return f"agents act against the {target.name}"
