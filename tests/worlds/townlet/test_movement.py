from diorama.worlds.townlet.codes import Primitive
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.systems.movement import nearest_free_tile
from tests.worlds.townlet.towns import PRIMITIVE, at, of_kind, put, tick, town_of


def test_a_citizen_moves_one_tile_and_walls_stop_it() -> None:
    town = town_of(PRIMITIVE)
    (citizen,) = town.living()
    put(town, citizen, 10, 2)

    tick(town, {0: Primitive.MOVE_EAST})
    assert citizen.tile == at(town, 11, 2)
    put(town, citizen, 0, 0)
    tick(town, {0: Primitive.MOVE_NORTH})

    assert citizen.tile == at(town, 0, 0)
    assert citizen.tally.invalid_actions == 1


def test_who_is_blocked_three_times_slips_through_once() -> None:
    town = town_of(PRIMITIVE, population=2)
    first, second = town.living()
    put(town, first, 10, 2)
    put(town, second, 11, 2)

    events = tick(town, {0: Primitive.MOVE_EAST}, 3)
    assert (first.tile, first.blocked_streak) == (at(town, 10, 2), 3)
    assert not first.last_success
    events = tick(town, {0: Primitive.MOVE_EAST})

    assert first.tile == at(town, 11, 2)
    assert first.blocked_streak == 0
    assert town.queues.ghost_move_events == 1
    assert of_kind(town, events, EventKind.GHOST_STEP) == [
        {"agent_id": "citizen_000", "other_id": "citizen_001", "from": [10, 2], "to": [11, 2]}
    ]


def test_a_third_citizen_never_enters_and_zero_disables() -> None:
    town = town_of(PRIMITIVE, {"queue_fairness": {"ghost_step_after": 0}}, population=2)
    first, second = town.living()
    put(town, first, 10, 2)
    put(town, second, 11, 2)

    tick(town, {0: Primitive.MOVE_EAST}, 10)

    assert first.tile == at(town, 10, 2)


def test_moves_see_the_moves_before_them_in_rotating_order() -> None:
    town = town_of(PRIMITIVE, population=2)
    first, second = town.living()
    put(town, first, 10, 2)
    put(town, second, 11, 2)
    moves = {0: int(Primitive.MOVE_EAST), 1: int(Primitive.MOVE_EAST)}

    tick(town, moves)
    assert (first.tile, second.tile) == (at(town, 10, 2), at(town, 12, 2))
    town.tick = 1  # seat 1 begins
    put(town, first, 11, 2)
    tick(town, moves)

    assert (first.tile, second.tile) == (at(town, 12, 2), at(town, 13, 2))


def test_the_nearest_free_tile_is_searched_outwards() -> None:
    town = town_of()
    (citizen,) = town.living()
    put(town, citizen, 10, 2)

    assert nearest_free_tile(town, at(town, 10, 2)) == at(town, 10, 1)
    assert nearest_free_tile(town, at(town, 12, 2)) == at(town, 12, 2)
