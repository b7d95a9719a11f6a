"""What pydantic finds wrong, in words."""

from typing import Self

import pytest
from pydantic import BaseModel, ConfigDict, ValidationError, field_validator, model_validator

from diorama.contracts.validation import first_problem, problem_line, problem_place, problem_words


class Tide(BaseModel):
    """A model with rules of pydantic and of its own."""

    depth_m: float = 0.0

    @field_validator("depth_m")
    @classmethod
    def _is_below(cls, depth_m: float) -> float:
        if depth_m > 100.0:
            raise AssertionError("no water is so deep")
        if depth_m < 0.0:
            raise ValueError("water has a depth\nuse 0 or more")
        return depth_m


class Harbour(BaseModel):
    """A model with places inside of places, and a rule over the whole."""

    model_config = ConfigDict(extra="forbid")

    tides: list[Tide] = []
    piers: int = 0

    @model_validator(mode="after")
    def _has_either(self) -> Self:
        if not self.tides and not self.piers:
            raise ValueError("a harbour needs tides or piers")
        return self


def refused(model: type[BaseModel], given: object) -> ValidationError:
    with pytest.raises(ValidationError) as caught:
        model.model_validate(given)
    return caught.value


@pytest.mark.parametrize(
    ("depth_m", "words"),
    [
        pytest.param(-1, "water has a depth; use 0 or more", id="own-rule"),
        pytest.param(200, "no water is so deep", id="assertion"),
        pytest.param("deep", "it should be a number", id="rule-of-pydantic"),
    ],
)
def test_a_problem_is_told_in_one_line_and_in_the_words_of_the_rule(depth_m: object, words: str) -> None:
    assert [problem_words(item) for item in refused(Tide, {"depth_m": depth_m}).errors()] == [words]


@pytest.mark.parametrize(
    ("given", "inside", "line"),
    [
        pytest.param({"tides": [{}, {"depth_m": 200}]}, "", "tides.1.depth_m: no water is so deep", id="place"),
        pytest.param(
            {"tides": [{"depth_m": -1}]},
            "state",
            "state.tides.0.depth_m: water has a depth; use 0 or more",
            id="inside",
        ),
        pytest.param({}, "", "a harbour needs tides or piers", id="whole"),
        pytest.param({}, "state", "state: a harbour needs tides or piers", id="whole-inside"),
        pytest.param({"a\nb": 1}, "", r"'a\nb': there is no such key", id="key-of-two-lines"),
        pytest.param({"\x1b[2J": 1}, "", r"'\x1b[2J': there is no such key", id="key-for-a-terminal"),
        pytest.param({"": 1}, "", "'': there is no such key", id="empty-key"),
        pytest.param({"k" * 9000: 1}, "", f"{'k' * 64}…: there is no such key", id="endless-key"),
    ],
)
def test_the_first_problem_is_told_with_its_place_where_it_has_one(given: object, inside: str, line: str) -> None:
    assert first_problem(refused(Harbour, given), inside=inside) == line


def test_every_problem_of_several_has_its_own_place() -> None:
    items = refused(Harbour, {"tides": [{"depth_m": 200}], "piers": "two"}).errors()

    assert [problem_place(item, inside="north") for item in items] == ["north.tides.0.depth_m", "north.piers"]
    assert [problem_line(item) for item in items] == [
        "tides.0.depth_m: no water is so deep",
        "piers: it should be a whole number",
    ]
    assert first_problem(refused(Harbour, {"tides": [{"depth_m": 200}], "piers": "two"})) == problem_line(items[0])
