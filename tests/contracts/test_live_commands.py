"""Commands of live worlds: what is said of arguments that are refused."""

from typing import Self

import pytest
from pydantic import model_validator

from diorama.contracts.live.commands import Arguments, Command
from diorama.contracts.live.refusals import CommandError


class Between(Arguments):
    """Two numbers with a rule over both."""

    least: int
    most: int

    @model_validator(mode="after")
    def _is_a_range(self) -> Self:
        if self.least > self.most:
            raise ValueError("least is above most")
        return self


BETWEEN: Command[None, Between] = Command(
    name="between", role="viewer", needs_id=False, summary="A range.", arguments=Between, run=lambda _, given: {}
)


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        pytest.param([3, 2], "invalid_args", "least is above most", id="rule-over-all"),
        pytest.param(
            ["x", 2],
            "invalid_args",
            "least: it should be a whole number",
            id="place",
        ),
        pytest.param([3], "usage", "most: it is missing; usage: between least most", id="missing"),
    ],
)
def test_arguments_that_are_refused_are_told_with_their_place_where_they_have_one(
    args: list[object], code: str, message: str
) -> None:
    with pytest.raises(CommandError) as refused:
        BETWEEN.bind(args, {})

    assert (refused.value.code, refused.value.message) == (code, message)
