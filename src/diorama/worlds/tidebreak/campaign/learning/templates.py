"""Sixty-four orders that make sense in every campaign; each finds its own target."""

from collections.abc import Callable, Iterator
from typing import Final

from diorama.worlds.tidebreak.campaign.fleets.strength import faction_strength, fleet_cost
from diorama.worlds.tidebreak.campaign.kinds import Chain, DecisionKind, GovernmentKind, NodeKind, Stance, TreatyKind
from diorama.worlds.tidebreak.campaign.map.paths import path_days, shortest_path
from diorama.worlds.tidebreak.campaign.orders import Order, Verb, offered_missions
from diorama.worlds.tidebreak.campaign.politics.decision_targets import legal_targets
from diorama.worlds.tidebreak.campaign.politics.proposals import can_propose
from diorama.worlds.tidebreak.campaign.politics.voting import price_of_passing
from diorama.worlds.tidebreak.campaign.sieges.actions import legal_actions
from diorama.worlds.tidebreak.campaign.sieges.landings import landing_threshold
from diorama.worlds.tidebreak.campaign.state import CampaignState, Faction, Fleet, Node

Template = Callable[[CampaignState, str], Order | None]
"""Gives the order for a state and a player, None if it makes no sense."""

HULLS: Final = (
    "skimmer",
    "cutter",
    "freighter",
    "corvette",
    "attack_sub",
    "assault_transport",
    "frigate",
    "deep_runner",
    "dreadnought",
    "carrier",
)


def rival(state: CampaignState, player: str, rank: int) -> Faction | None:
    """The strongest other faction, or the next ones by rank."""
    others = sorted(state.others(player), key=lambda f: (-faction_strength(state, f.id), f.number))
    return others[rank] if rank < len(others) else None


def main_fleet(state: CampaignState, player: str) -> Fleet | None:
    """The costliest own fleet."""
    fleets = state.fleets_of(player)
    return max(fleets, key=lambda fleet: (fleet_cost(state, fleet), -fleet.number), default=None)


def _order(verb: Verb, *arguments: str) -> Order:
    return Order(verb=verb, arguments=arguments)


def _wait(_state: CampaignState, _player: str) -> Order | None:
    return None


def _decide(kind: DecisionKind, target: str | None = None, *, rank: int | None = None) -> Template:
    """Propose at the first own hub where it can pass; `rank` picks one of the targets there are."""

    def template(state: CampaignState, player: str) -> Order | None:
        for hub in state.hubs_of(player):
            legal = legal_targets(state, hub, kind)
            chosen = target if rank is None else legal[rank] if rank < len(legal) else None
            if chosen not in legal or not can_propose(state, hub, kind, chosen):
                continue
            price = price_of_passing(hub, kind, chosen, is_pressed=True)
            if price is not None:
                verb = Verb.PROPOSE if price.capital == 0.0 else Verb.PRESS
                return _order(verb, hub.id, kind.value, *([] if chosen is None else [chosen]))
        return None

    return template


def _against(kind: DecisionKind, rank: int) -> Template:
    def template(state: CampaignState, player: str) -> Order | None:
        other = rival(state, player, rank)
        return None if other is None else _decide(kind, other.id)(state, player)

    return template


def _move(find: Callable[[CampaignState, str], Iterator[Node]]) -> Template:
    """Send the main fleet to the nearest of some places."""

    def template(state: CampaignState, player: str) -> Order | None:
        fleet = main_fleet(state, player)
        if fleet is None:
            return None
        start = fleet.passage.target if fleet.passage is not None else str(fleet.node)
        goals = [node for node in find(state, player) if node.id != start]
        best = min(
            goals,
            key=lambda node: (path_days(state, shortest_path(state, start, node.id) or []), node.number),
            default=None,
        )
        return None if best is None else _order(Verb.MOVE, fleet.id, best.id)

    return template


def _home(state: CampaignState, player: str) -> Iterator[Node]:
    yield from (state.node(hub.id) for hub in state.hubs_of(player))


def _of_kind(*kinds: NodeKind) -> Callable[[CampaignState, str], Iterator[Node]]:
    return lambda state, _player: (node for node in state.nodes if node.kind in kinds)


def _own_sites(state: CampaignState, player: str) -> Iterator[Node]:
    yield from (state.node(site.id) for site in state.sites if site.owner == player)


def _capital_of(rank: int) -> Callable[[CampaignState, str], Iterator[Node]]:
    def find(state: CampaignState, player: str) -> Iterator[Node]:
        other = rival(state, player, rank)
        if other is not None:
            yield state.node(other.capital)

    return find


def _stance(stance: Stance) -> Template:
    def template(state: CampaignState, player: str) -> Order | None:
        fleet = main_fleet(state, player)
        return None if fleet is None else _order(Verb.STANCE, fleet.id, stance.value)

    return template


def _split(state: CampaignState, player: str) -> Order | None:
    fleet = main_fleet(state, player)
    if fleet is None or fleet.node is None or len(fleet.ships) < 2:
        return None
    return _order(Verb.SPLIT, fleet.id, ",".join(fleet.ships[::2]))


def _merge(state: CampaignState, player: str) -> Order | None:
    fleet = main_fleet(state, player)
    if fleet is None or fleet.node is None:
        return None
    beside = [other for other in state.fleets_of(player) if other is not fleet and other.node == fleet.node]
    return _order(Verb.MERGE, fleet.id, beside[0].id) if beside else None


def _take_mission(state: CampaignState, player: str) -> Order | None:
    fleet, missions = main_fleet(state, player), offered_missions(state, player)
    return None if fleet is None or not missions else _order(Verb.MISSION, str(missions[0].number), fleet.id)


def _invade(state: CampaignState, player: str) -> Order | None:
    fleet, other = main_fleet(state, player), rival(state, player, 0)
    hubs = [] if other is None else state.hubs_of(other.id)
    best = min(hubs, key=lambda hub: (landing_threshold(hub), hub.number), default=None)
    return None if fleet is None or best is None else _order(Verb.INVADE, fleet.id, best.id)


def _offer(kind: TreatyKind, rank: int) -> Template:
    def template(state: CampaignState, player: str) -> Order | None:
        other = rival(state, player, rank)
        return None if other is None else _order(Verb.OFFER, other.id, kind.value)

    return template


def _answer(verb: Verb) -> Template:
    def template(state: CampaignState, player: str) -> Order | None:
        waiting = [offer for offer in state.offers if offer.to == player]
        return _order(verb, str(waiting[0].number)) if waiting else None

    return template


def _besiege(rank: int) -> Template:
    def template(state: CampaignState, player: str) -> Order | None:
        for siege in state.sieges:
            actions = legal_actions(state, siege, player)
            if rank < len(actions):
                return _order(Verb.SIEGE, str(siege.number), actions[rank].value)
        return None

    return template


def _act_covertly(state: CampaignState, player: str) -> Order | None:
    other = rival(state, player, 0)
    return None if other is None else _order(Verb.COVERT, other.id)


TEMPLATES: Final[tuple[tuple[str, Template], ...]] = (
    ("wait", _wait),
    ("mobilise", _decide(DecisionKind.MOBILISE)),
    ("ration", _decide(DecisionKind.RATION)),
    ("welfare", _decide(DecisionKind.WELFARE)),
    ("security sweep", _decide(DecisionKind.SECURITY_SWEEP)),
    ("concession", _decide(DecisionKind.CONCESSION, rank=0)),
    ("open trade 1", _decide(DecisionKind.OPEN_TRADE, rank=0)),
    ("open trade 2", _decide(DecisionKind.OPEN_TRADE, rank=1)),
    ("embargo rival", _against(DecisionKind.EMBARGO, 0)),
    ("embargo second", _against(DecisionKind.EMBARGO, 1)),
    ("war on rival", _against(DecisionKind.DECLARE_WAR, 0)),
    ("war on second", _against(DecisionKind.DECLARE_WAR, 1)),
    ("offer peace", _decide(DecisionKind.OFFER_PEACE, rank=0)),
    *((f"build {hull}", _decide(DecisionKind.BUILD, hull)) for hull in HULLS),
    *((f"invest {chain.value}", _decide(DecisionKind.INVEST, chain.value)) for chain in Chain),
    *(
        (f"reform {kind.value}", _decide(DecisionKind.REFORM, kind.value))
        for kind in GovernmentKind
        if kind is not GovernmentKind.ANARCHY
    ),
    ("sail home", _move(_home)),
    ("sail to a strait", _move(_of_kind(NodeKind.STRAIT))),
    ("sail to a site", _move(_own_sites)),
    ("sail to the rival", _move(_capital_of(0))),
    ("sail to the second", _move(_capital_of(1))),
    ("sail to the open sea", _move(_of_kind(NodeKind.SEA, NodeKind.WRECK))),
    *((f"stance {stance.value}", _stance(stance)) for stance in Stance),
    ("split fleet", _split),
    ("merge fleets", _merge),
    ("take mission", _take_mission),
    ("invade rival", _invade),
    ("offer rival non-aggression", _offer(TreatyKind.NON_AGGRESSION, 0)),
    ("offer rival alliance", _offer(TreatyKind.MUTUAL_DEFENSE, 0)),
    ("offer rival vassalage", _offer(TreatyKind.VASSALAGE, 0)),
    ("offer second alliance", _offer(TreatyKind.MUTUAL_DEFENSE, 1)),
    ("accept offer", _answer(Verb.ACCEPT)),
    ("decline offer", _answer(Verb.DECLINE)),
    ("siege action 1", _besiege(0)),
    ("siege action 2", _besiege(1)),
    ("covert action", _act_covertly),
)
