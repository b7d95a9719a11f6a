import random

import pytest

from diorama.worlds.townlet.codes import NOBODY, NOTHING, PRIMITIVE_NAMES
from diorama.worlds.townlet.reference.console.executing import apply_console
from diorama.worlds.townlet.reference.names import agent_id, payload
from diorama.worlds.townlet.reference.state import Town
from diorama.worlds.townlet.reference.tick import begin_tick, finish_tick
from diorama.worlds.townlet.reference.words import read_town, snapshot_words
from tests.worlds.townlet.towns import SOCIAL, town_of

LIVELY = {"lifecycle": {"max_exits_per_day": 50, "exit_cooldown_ticks": 0}, "perturbations": {"enabled": True}}


def _command(town: Town, chance: random.Random) -> dict[str, object]:
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


def _check(town: Town) -> None:
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


def _fuzz(level: str, ticks: int, seed: int) -> Town:
    town = town_of(SOCIAL, LIVELY, {"policy_runtime": {"action_level": level}}, population=8, seed=seed)
    chance = random.Random(seed)
    size = 8 if level == "option" else 12
    for _ in range(ticks):
        begin_tick(town)
        for answer in apply_console(town, [_command(town, chance)] if chance.random() < 0.3 else []):
            assert answer["status"] in ("ok", "error")
        finish_tick(town, {seat: chance.randrange(size) for seat in range(16)})
        for event in town.events:
            payload(town, event)
        town.events.clear()
        _check(town)
        if chance.random() < 0.01:
            town = read_town(snapshot_words(town), town.tables, town.config)
    return town


@pytest.mark.parametrize("level", ["option", "primitive"])
def test_a_town_survives_whatever_is_done_to_it(level: str) -> None:
    assert _fuzz(level, 150, 11).tick == 150


@pytest.mark.slow
@pytest.mark.parametrize("level", ["option", "primitive"])
def test_a_town_survives_ten_thousand_ticks_of_chaos(level: str) -> None:
    assert _fuzz(level, 10_000, 12).tick == 10_000
