import pytest

from diorama.worlds.townlet.codes import ShiftState
from diorama.worlds.townlet.reference.systems.conditions import holds
from diorama.worlds.townlet.tables.expressions import ExpressionError, compile_condition
from tests.worlds.townlet.towns import obj, town_of

ITEMS = ("meals", "groceries", "food_raw")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("power_on", True),
        ("power_on == true and not occupied", True),
        ("stock.meals >= 2 and stock.meals < 3", True),
        ("meal_available == false or wallet > 1", True),
        ("needs.hunger == 0.7", True),
        ("inventory.food_raw in (1, 2, 3)", True),
        ("inventory.food_raw in (2, -1)", False),
        ("price.meal_cost == 0.4", True),
        ("-wallet < -2", True),
        ("shift_state == 'late'", True),
        ("shift_state in ('absent', \"on_time\")", False),
        ("(tod == 0 and day == 0) or on_shift", True),
        ("at_home and not is_owner", True),
        ("queue_length != 0", False),
        ("not (water_on and power_on)", False),
    ],
)
def test_a_condition_is_evaluated(text: str, expected: bool) -> None:
    town = town_of()
    (citizen,) = town.living()
    citizen.shift.state = ShiftState.LATE

    assert holds(town, compile_condition(text, ITEMS), citizen, obj(town, "fridge_1")) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "is empty"),
        ("   ", "is empty"),
        ("moon", "no identifier 'moon'"),
        ("stock.gold > 1", "stock has no 'gold'"),
        ("wallet", "must be true or false"),
        ("wallet == true", "cannot be compared"),
        ("power_on > true", "compares numbers"),
        ("shift_state == 'asleep'", "no known word"),
        ("shift_state == 3", "cannot be compared"),
        ("wallet + 1 > 2", "cannot be read"),
        ("wallet > ", "missing at the end"),
        ("(wallet > 1", "')' is missing"),
        ("wallet > 1 wallet", "does not belong"),
        ("wallet in (tod)", "takes literals"),
        ("not wallet", "true or false"),
        ("-power_on == true", "takes a number"),
        ("open('x')", "no identifier 'open'"),
        ("town.seats > 1", "no identifier"),
        ("1 in (1, 2, 3, 4, 5, 6, 7, 8)", "too deeply"),
        ("(" * 1000 + "power_on" + ")" * 1000, "deeper than 64 levels"),
        ("not " * 1000 + "power_on", "deeper than 64 levels"),
        ("-" * 1000 + "wallet > 1", "deeper than 64 levels"),
        ("wallet < 1e999", "the number is too large"),
        ("wallet < \u0663", "cannot be read"),
    ],
)
def test_what_is_no_condition_is_refused(text: str, expected: str) -> None:
    with pytest.raises(ExpressionError, match=expected.replace("(", r"\(").replace(")", r"\)")):
        compile_condition(text, ITEMS)


def test_a_condition_knows_which_utilities_it_mentions() -> None:
    condition = compile_condition("power_on == true or tod > 5", ITEMS)

    assert condition.needs_power
    assert not condition.needs_water
