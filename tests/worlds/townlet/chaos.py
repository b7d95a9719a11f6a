"""Whatever may be done to a town, and what must hold all the same."""

import random

from diorama.worlds.townlet.codes import NOBODY, NOTHING, PRIMITIVE_NAMES
from diorama.worlds.townlet.reference.names import agent_id
from diorama.worlds.townlet.reference.state import Town

LIVELY = {"lifecycle": {"max_exits_per_day": 50, "exit_cooldown_ticks": 0}, "perturbations": {"enabled": True}}


def random_command(town: Town, chance: random.Random) -> dict[str, object]:
    """Return a command that may be refused, about anything."""
    ids = [agent_id(town, citizen.number) for citizen in town.living()] or ["nobody"]
    who, other = chance.choice(ids), chance.choice(ids)
    commands: list[tuple[str, list[object]]] = [
        ("spawn", []),
        ("spawn", [f"guest{town.tick}", [chance.randrange(48), chance.randrange(48)]]),
        ("teleport", [who, chance.randrange(-2, 50), chance.randrange(48), chance.random() < 0.7]),
        ("setneed", [who, chance.choice(["hunger", "hygiene", "energy"]), chance.uniform(-0.5, 1.5)]),
        ("price", [chance.choice(["meal_cost", "rent_per_day"]), chance.choice([0, 0.3, 1e6])]),
        ("force_chat", [who, other]),
        ("set_rel", [who, other, None, None, chance.random()]),
        ("arrange_meet", [[who, other], "park", chance.randrange(5), 20]),
        ("utility", [chance.choice(["power", "water"]), chance.choice(["on", "off"]), 15]),
        ("perturbation_trigger", [chance.choice(["price_spike", "blackout", "arranged_meet"])]),
        ("perturbation_cancel", [f"evt_{chance.randrange(1, 30)}"]),
        ("employment_exit", [chance.choice(["approve", "defer"]), who]),
        ("kill", [who]),
        ("possess", [who, chance.choice(["acquire", "release"])]),
        ("possess_act", [who, chance.choice(PRIMITIVE_NAMES)]),
        ("toggle_mortality", [chance.choice(["on", "off"])]),
        ("debug_queues", []),
        ("relationship_summary", []),
        ("perturbation_queue", []),
        ("employment_status", []),
    ]
    name, args = chance.choice(commands)
    return {"name": name, "args": args, "cmd_id": f"c{town.tick}"}


def check_town(town: Town) -> None:
    """Assert what holds in every town between two ticks."""
    places: dict[int, int] = {}
    for index, state in enumerate(town.objects):
        for seat in [seat for seat in (state.holder, *(entry.seat for entry in state.queue)) if seat != NOBODY]:
            assert seat not in places
            places[seat] = index
        assert state.holder != NOBODY or not state.queue
        assert min(state.stock) >= 0
    for citizen in town.living():
        assert places.get(citizen.seat, NOTHING) == max(citizen.holding, citizen.queued)
        assert all(0.0 <= need <= 1.0 for need in citizen.needs)
        assert citizen.wallet >= 0.0
        assert min(citizen.inventory) >= 0
        assert town.tables.map.walkable[citizen.tile]
        assert all(town.seats[tie.other] is not None for tie in citizen.ties)
        assert town.embedding.holders[citizen.slot] == citizen.number
    counts = [0] * len(town.occupancy)
    for citizen in town.living():
        counts[citizen.tile] += 1
    assert counts == town.occupancy
