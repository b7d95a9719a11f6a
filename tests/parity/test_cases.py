"""Which cases a selection makes."""

from typing import cast

import pytest

from diorama.contracts.config import WorldConfig
from diorama.contracts.errors import ConfigError, UnknownName
from diorama.contracts.world import World
from diorama.parity.cases import Case, Column, Selection, plan_cases, time_columns
from diorama.worlds.registry import load_world
from tests.engine.toy_world import TOY

PROSPECTOR = load_world("prospector")


def test_the_quick_gate_is_ten_seeds_of_three_suites_under_one_budget() -> None:
    cases = plan_cases(PROSPECTOR, Selection())

    assert len(cases) == 30
    assert sum(case.steps for case in cases) == 60_000
    assert {case.suite for case in cases} == {"A", "B", "C"}
    assert {case.column.label for case in cases} == {"time-2000"}


def test_the_full_matrix_has_every_suite_under_every_budget() -> None:
    cases = plan_cases(PROSPECTOR, Selection(is_full=True))

    assert len(cases) == 10 * 5 * 2
    assert {(case.suite, case.column.label) for case in cases} == {
        (suite, label) for suite in "ABCDE" for label in ("time-2000", "time-8000")
    }


def test_selections_narrow_the_matrix_in_a_fixed_order() -> None:
    columns = time_columns(PROSPECTOR, [500, 9000])
    selection = Selection(suites=("D", "A"), seeds=2, seed_start=5, steps=3, columns=columns)

    cases = plan_cases(PROSPECTOR, selection)

    assert [(case.column.label, case.suite, case.seed) for case in cases] == [
        (label, suite, seed) for label in ("time-500", "time-9000") for suite in ("D", "A") for seed in (5, 6)
    ]
    assert cases[0] == Case(
        world="prospector", suite="D", seed=5, column=Column(label="time-500", config={"time_max": 500}), steps=3
    )


def test_an_unknown_suite_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(UnknownName, match=r"'Z'; there are: A, B, C, D, E"):
        plan_cases(PROSPECTOR, Selection(suites=("Z",)))


def test_a_budget_for_a_world_without_one_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"toy: there is no key 'time_max' to set; keys are: length"):
        time_columns(cast(World[WorldConfig], TOY), [100.0])


@pytest.mark.parametrize("is_full", [False, True])
def test_a_world_without_suites_is_refused(is_full: bool) -> None:
    with pytest.raises(ConfigError, match="toy: the world's plan names no parity suites"):
        plan_cases(cast(World[WorldConfig], TOY), Selection(is_full=is_full))


@pytest.mark.parametrize(
    ("selection", "message"),
    [
        pytest.param(Selection(seeds=0), "seeds is 0; use 1 or more", id="seeds"),
        pytest.param(Selection(steps=-1), "steps is -1; use 1 or more", id="steps"),
        pytest.param(
            Selection(columns=(Column(label="x", config={"time_max": -3}),)), r"prospector\.time_max: -3", id="config"
        ),
    ],
)
def test_numbers_that_make_no_sense_are_refused(selection: Selection, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        plan_cases(PROSPECTOR, selection)
