"""What changes about things: who uses them, who waits, what is in stock, and what befalls the town."""

from diorama.contracts.values import JsonObject, JsonValue
from diorama.worlds.townlet.codes import ENDLESS, NOBODY, NOTHING, PerturbationKind, word
from diorama.worlds.townlet.config.economy import PRICE_KEYS
from diorama.worlds.townlet.reference.state.perturbations import CityEvent
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.perturbations.effects import prices_in
from diorama.worlds.townlet.render.rounding import share


def things_in_use(town: Town) -> list[JsonValue]:
    """Return the objects about which there is anything to tell, by their place in the list of objects."""
    return [picture for index in range(len(town.objects)) if len(picture := _thing(town, index)) > 1]


def _thing(town: Town, index: int) -> JsonObject:
    state = town.objects[index]
    stock = {item: count for item, count in zip(town.tables.items, state.stock, strict=True) if count}
    told: dict[str, JsonValue] = {"object": index}
    if state.holder != NOBODY:
        told["holder"] = state.holder
    if state.queue:
        told["queue"] = [entry.seat for entry in state.queue]
    if state.spec is not None:
        told["doing"] = state.spec.id
        told["remaining"] = state.remaining
        told["duration"] = state.spec.duration
    if state.owner != NOBODY:
        told["owner"] = state.owner
    if stock:
        told["stock"] = stock
    return told


def perturbation_picture(town: Town, event: CityEvent) -> JsonObject:
    """Return something that befalls the town."""
    return {
        "id": f"evt_{event.number}",
        "kind": word(PerturbationKind(event.kind)),
        "started_at": event.started_at,
        "ends_at": None if event.ends_at >= ENDLESS else event.ends_at,
        "magnitude": share(event.magnitude),
        "prices": [PRICE_KEYS[price] for price in prices_in(event)],
        "zone": None if event.zone == NOTHING else event.zone,
        "seats": list(event.participants),
    }
