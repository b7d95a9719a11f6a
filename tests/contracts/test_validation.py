"""What pydantic finds wrong, in words."""

import pytest
from pydantic import BaseModel, ValidationError, field_validator

from diorama.contracts.validation import problem_words


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


@pytest.mark.parametrize(
    ("depth_m", "words"),
    [
        pytest.param(-1, "water has a depth; use 0 or more", id="own-rule"),
        pytest.param(200, "no water is so deep", id="assertion"),
        pytest.param(
            "deep", "Input should be a valid number, unable to parse string as a number", id="rule-of-pydantic"
        ),
    ],
)
def test_a_problem_is_told_in_one_line_and_in_the_words_of_the_rule(depth_m: object, words: str) -> None:
    with pytest.raises(ValidationError) as caught:
        Tide.model_validate({"depth_m": depth_m})

    assert [problem_words(item) for item in caught.value.errors()] == [words]
