"""`economy`, `utilities`, `employment`, `embedding`, `perturbations`, `affordances`, `lifecycle` and `map`."""

from dataclasses import asdict
from typing import Final

from diorama.contracts.values import JsonObject, JsonValue
from diorama.worlds.townlet.codes import NEVER, ExitReason, PerturbationKind, word
from diorama.worlds.townlet.config.economy import PRICE_KEYS
from diorama.worlds.townlet.live.blocks.scene import Scene
from diorama.worlds.townlet.live.blocks.scenery import map_block
from diorama.worlds.townlet.live.blocks.sections import Section, fixed_section
from diorama.worlds.townlet.live.blocks.values import told, without_nothing
from diorama.worlds.townlet.reference.console.happenings import perturbation_block
from diorama.worlds.townlet.reference.names import display_name
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.reference.systems.embedding import embedding_metrics
from diorama.worlds.townlet.reference.systems.perturbations.effects import prices_in


def _economy_mark(scene: Scene, town: Town) -> object:
    active = town.perturbations.active
    spikes = tuple((event.number, event.ends_at) for event in active) if active else ()
    return town.day, *town.economy.baselines, *town.economy.live, spikes, scene.edition


def _economy(scene: Scene, town: Town) -> JsonValue:
    restock = town.config.economy.restock
    return {
        "prices": dict(zip(PRICE_KEYS, town.economy.live, strict=True)),
        "baselines": dict(zip(PRICE_KEYS, town.economy.baselines, strict=True)),
        "spikes": {
            f"evt_{event.number}": {
                "prices": [PRICE_KEYS[price] for price in prices_in(event)],
                "magnitude": event.magnitude,
                "ends_at": event.ends_at,
            }
            for event in town.perturbations.active
            if event.kind == PerturbationKind.PRICE_SPIKE
        },
        "basket": scene.basket,
        "restock": {
            "next_tick": (town.day + 1) * town.ticks_per_day,
            "cafe_meals": restock.cafe_meals,
            "cafe_meals_cap": restock.cafe_meals_cap,
            "till_groceries": restock.till_groceries,
            "till_groceries_cap": restock.till_groceries_cap,
        },
    }


def _employment_mark(scene: Scene, town: Town) -> object:
    ledger = town.employment
    pending = tuple((entry.seat, entry.since_tick) for entry in ledger.queue) if ledger.queue else ()
    return pending, ledger.exits_today, town.rules.daily_exit_cap, scene.edition


def _employment(scene: Scene, town: Town) -> JsonValue:
    ledger, rule = town.employment, town.config.employment
    return {
        "pending": [told(agent_id=scene.id_at(entry.seat), since_tick=entry.since_tick) for entry in ledger.queue],
        "pending_count": len(ledger.queue),
        "exits_today": ledger.exits_today,
        "daily_exit_cap": town.rules.daily_exit_cap,
        "queue_limit": rule.exit_queue_limit,
        "review_window": rule.exit_review_window,
    }


def _embedding(_: Scene, town: Town) -> JsonValue:
    metrics: JsonObject = asdict(embedding_metrics(town))
    return metrics


def _perturbation_mark(scene: Scene, town: Town) -> object:
    state = town.perturbations
    known = [(event.number, event.ends_at, len(event.participants)) for event in (*state.active, *state.pending)]
    return scene.slow, state.next_event, len(state.active), tuple(known), scene.edition


def _perturbations(_: Scene, town: Town) -> JsonValue:
    names: list[JsonValue] = [row.name for row in town.tables.perturbations]
    return {**without_nothing(perturbation_block(town)), "specs": names}


def _uses_mark(scene: Scene, town: Town) -> object:
    running = sum(state.spec is not None for state in town.objects)
    return running, *scene.town.chronicle.uses.values(), scene.edition


def _uses(scene: Scene, town: Town) -> JsonValue:
    manifest: JsonObject = asdict(town.tables.manifest)
    running = sum(state.spec is not None for state in town.objects)
    return {"manifest": manifest, "running_count": running, "counts": {**scene.town.chronicle.uses}}


def _lifecycle_mark(_: Scene, town: Town) -> object:
    ledger, rules = town.lifecycle, town.rules
    tickets = tuple((ticket.due_tick, ticket.replaces) for ticket in ledger.tickets) if ledger.tickets else ()
    return ledger.exits_today, ledger.last_exit_tick, tickets, town.kpis.exits, rules.mortality, rules.max_exits_per_day


def _lifecycle(scene: Scene, town: Town) -> JsonValue:
    ledger = town.lifecycle
    return told(
        mortality=town.rules.mortality,
        exits_today=ledger.exits_today,
        max_exits_per_day=town.rules.max_exits_per_day,
        last_exit_tick=None if ledger.last_exit_tick == NEVER else ledger.last_exit_tick,
        pending_spawns=[
            {"due_tick": ticket.due_tick, "replaces": scene.id_of(ticket.replaces)} for ticket in ledger.tickets
        ],
        exits=[
            {
                "agent_id": scene.id_of(gone.number),
                "name": display_name(town, gone.number),
                "reason": word(ExitReason(gone.reason)),
                "tick": gone.tick,
                "lived_days": gone.lived_days,
                "afi": gone.afi,
            }
            for gone in ledger.departures
        ],
    )


BOOK_SECTIONS: Final[tuple[Section[Town], ...]] = (
    Section(name="economy", mark=_economy_mark, tell=_economy),
    Section(
        name="utilities",
        mark=lambda _, town: tuple(town.economy.outages),
        tell=lambda _, town: {"power": town.has_power, "water": town.has_water},
    ),
    Section(name="employment", mark=_employment_mark, tell=_employment),
    Section(name="embedding", mark=lambda scene, town: (scene.slow, town.embedding.allocations_total), tell=_embedding),
    Section(name="perturbations", mark=_perturbation_mark, tell=_perturbations),
    Section(name="affordances", mark=_uses_mark, tell=_uses),
    Section(name="lifecycle", mark=_lifecycle_mark, tell=_lifecycle),
    fixed_section("map", lambda _, town: map_block(town)),
)
