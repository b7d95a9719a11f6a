"""Zeros that come from outside, and what holds them."""

from pydantic import BaseModel, Field

from diorama.contracts.zeros import UnsignedZeros


class Amount(UnsignedZeros):
    """A number, and numbers in lists, pairs and mappings."""

    number: float | int | str
    several: list[float] = Field(default_factory=list)
    pair: tuple[float, float] = (0.0, 0.0)
    named: dict[str, list[float]] = Field(default_factory=dict)
    inner: "Amount | None" = None


def told(model: BaseModel) -> str:
    return str(model.model_dump())


def test_zeros_lose_their_sign_wherever_they_lie() -> None:
    given = {"number": -0.0, "several": [-0.0, -1.5], "pair": (1.0, -0.0), "named": {"a": [-0.0]}}

    found = Amount.model_validate({**given, "inner": given})

    assert "-0.0" not in told(found)
    assert found.inner is not None
    assert (found.several, found.inner.pair, found.named) == ([0.0, -1.5], (1.0, 0.0), {"a": [0.0]})


def test_what_is_no_float_stays_as_it_is() -> None:
    assert [Amount(number=value).number for value in (0, -3, "-0.0")] == [0, -3, "-0.0"]
    assert isinstance(Amount(number=0).number, int)
