"""Whether what a scenario expects has come about."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from diorama.contracts.errors import ConfigError
from diorama.contracts.values import JsonObject
from diorama.worlds.townlet.reference.state.town import Town
from diorama.worlds.townlet.scenarios.measures import measure
from diorama.worlds.townlet.scenarios.model import ANY_EVENT, Expectation


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """Something that happened, as it is told."""

    tick: int
    event: str
    fields: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """An expectation in words, what was found, and whether it is met."""

    expected: str
    found: str
    is_met: bool


def check(expectation: Expectation, town: Town, happened: Sequence[Happening]) -> Finding:
    """Judge an expectation by a town and all that happened in it so far.

    A measure that the town does not have, such as one of somebody who has left, is not met.
    """
    if expectation.order is not None:
        return _check_order(expectation.order, happened)
    if expectation.measure is not None:
        try:
            return _check_number(expectation, measure(town, expectation.measure))
        except ConfigError as error:
            return Finding(expected=_subject(expectation), found=str(error), is_met=False)
    counted = [entry for entry in happened if expectation.event in (ANY_EVENT, entry.event)]
    return _check_number(expectation, float(sum(_fits(entry, expectation.where) for entry in counted)))


def _fits(entry: Happening, where: Mapping[str, object]) -> bool:
    return all(name in entry.fields and entry.fields[name] == value for name, value in where.items())


def _check_number(expectation: Expectation, found: float) -> Finding:
    verdicts: dict[str, bool] = {}
    if expectation.equals is not None:
        within = f" within {expectation.within:g}" if expectation.within else ""
        verdicts[f"= {expectation.equals:g}{within}"] = abs(found - expectation.equals) <= expectation.within
    if expectation.at_least is not None:
        verdicts[f">= {expectation.at_least:g}"] = found >= expectation.at_least
    if expectation.at_most is not None:
        verdicts[f"<= {expectation.at_most:g}"] = found <= expectation.at_most
    if expectation.above is not None:
        verdicts[f"> {expectation.above:g}"] = found > expectation.above
    if expectation.below is not None:
        verdicts[f"< {expectation.below:g}"] = found < expectation.below
    return Finding(
        expected=f"{_subject(expectation)} {' and '.join(verdicts)}", found=f"{found:g}", is_met=all(verdicts.values())
    )


def _subject(expectation: Expectation) -> str:
    at = "" if expectation.at is None else f" after tick {expectation.at}"
    if expectation.measure is not None:
        return expectation.measure + at
    where = ", ".join(f"{name} {value}" for name, value in expectation.where.items())
    return f"{expectation.event}{f' ({where})' if where else ''}{at}"


def _check_order(order: Sequence[str], happened: Sequence[Happening]) -> Finding:
    reached: list[str] = []
    for entry in happened:
        if len(reached) < len(order) and entry.event == order[len(reached)]:
            reached.append(f"{entry.event} at {entry.tick}")
    return Finding(
        expected=f"in this order: {', '.join(order)}",
        found=", ".join(reached) or "none of them",
        is_met=len(reached) == len(order),
    )
