"""Hubs and sites as JSON."""

from diorama.contracts.values import JsonObject, JsonValue
from diorama.worlds.tidebreak.campaign.economy.needs import daily_need
from diorama.worlds.tidebreak.campaign.economy.production import efficiency_of, hull_condition
from diorama.worlds.tidebreak.campaign.kinds import GAINS, NEEDS, Chain, Flow, Resource
from diorama.worlds.tidebreak.campaign.politics.decision_effects import decision_words
from diorama.worlds.tidebreak.campaign.politics.legitimacy import band
from diorama.worlds.tidebreak.campaign.state import CampaignState, Decision, Hub, Site


def hub_view(state: CampaignState, hub: Hub) -> JsonObject:
    """A hub with its stores, politics and yards."""
    government = hub.government
    governor = state.find_person(hub.governor)
    return {
        "id": hub.id,
        "name": hub.name,
        "kind": hub.kind.value,
        "owner": hub.owner,
        "population": hub.population,
        "security": hub.security,
        "prosperity": hub.prosperity,
        "efficiency": efficiency_of(state, hub),
        "condition": hull_condition(state, hub.hull),
        "info_integrity": hub.info_integrity,
        "is_rationing": hub.is_rationing,
        "stock": [_stock(hub, resource) for resource in Resource],
        "facilities": {chain.value: hub.facilities[chain] for chain in Chain if chain in hub.facilities},
        "well_reserve": hub.reserve,
        "yard_level": hub.yard_level,
        "builds": [{"class_id": b.class_id, "days_left": b.days_left, "is_begun": b.is_begun} for b in hub.builds],
        "investments": [{"chain": i.chain.value, "ready_day": i.ready_day} for i in hub.investments],
        "governor": None if governor is None else {"number": governor.number, "name": governor.name},
        "government": {
            "kind": government.kind.value,
            "legitimacy": government.legitimacy,
            "band": band(government.legitimacy),
            "ruling": government.ruling.value,
            "capital": government.capital,
            "next_election_day": government.next_election_day,
            "queue": [_decision(state, hub, decision) for decision in government.queue],
            "blocked": [
                {"kind": b.kind.value, "target": b.target, "until_day": b.until_day} for b in government.blocked
            ],
        },
        "blocs": [
            {
                "kind": bloc.kind.value,
                "share": bloc.share,
                "satisfaction": bloc.satisfaction,
                "radicalization": bloc.radicalization,
            }
            for bloc in hub.blocs
        ],
        "crises": [
            {
                "kind": crisis.kind.value,
                "vocation": None if crisis.vocation is None else crisis.vocation.value,
                "deadline_day": crisis.deadline_day,
            }
            for crisis in hub.crises
        ],
        "conquest": None
        if hub.conquest is None
        else {
            "former_owner": hub.conquest.former_owner,
            "state": hub.conquest.state.value,
            "resistance": hub.conquest.resistance,
            "since_day": hub.conquest.since_day,
        },
    }


def site_view(state: CampaignState, site: Site) -> JsonObject:
    """A site and what it keeps while it is cut off."""
    return {
        "id": site.id,
        "name": site.name,
        "hub": site.hub,
        "owner": site.owner,
        "facilities": {chain.value: site.facilities[chain] for chain in Chain if chain in site.facilities},
        "condition": hull_condition(state, site.platform),
        "store": {r.value: site.store[r] for r in Resource if site.store[r] > 0.0},
        "is_cut_off": site.is_cut_off,
        "is_sabotaged": state.day <= site.sabotaged_until,
    }


def _stock(hub: Hub, resource: Resource) -> JsonObject:
    """Amount, days left, and where today's change came from; `carried` is what came and went by ship."""
    flows: dict[str, JsonValue] = {}
    net = 0.0
    for flow in Flow:
        amount = hub.flows.get(flow, {}).get(resource, 0.0)
        if amount > 0.0:
            signed = amount if flow in GAINS else -amount
            flows[flow.value] = signed
            net += signed
    change = hub.stock[resource] - hub.opening[resource]
    is_need = resource in NEEDS and daily_need(hub, resource) > 0.0
    return {
        "resource": resource.value,
        "amount": hub.stock[resource],
        "need": daily_need(hub, resource),
        "days": hub.days[resource] if is_need else None,
        "status": hub.status[resource].value if is_need else None,
        "change": change,
        "flows": flows,
        "carried": change - net,
    }


def _decision(state: CampaignState, hub: Hub, decision: Decision) -> JsonObject:
    return {
        "number": decision.number,
        "kind": decision.kind.value,
        "target": decision.target,
        "text": decision_words(state, hub, decision.kind, decision.target),
        "proposer": decision.proposer,
        "queued_day": decision.queued_day,
        "ready_day": decision.ready_day,
        "is_pressed": decision.is_pressed,
    }
