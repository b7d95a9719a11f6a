"""Pictures: what viewers are given of a moment, what players may see of it, and drawings where they are offered."""

import json
from typing import Final

import numpy as np

from diorama.conformance.report import Report
from diorama.conformance.subject import Subject
from diorama.conformance.walking import short_walk, walk
from diorama.contracts.values import JsonObject, canonical_json
from diorama.engine.batch import Batch

_DRAWN_STEPS: Final = 6  # drawing takes its time
_SECONDS: Final = 4.0
_REQUIRED: Final = ("schema_version", "headline", "time", "time_remaining")


def check_pictures(subject: Subject, report: Report) -> None:
    """Look at the opening and at a few moments after it."""
    batch = subject.opened(subject.quickest)
    sizes = {_look(subject, report, batch)}
    moments = walk(batch) if subject.world.draw is None else short_walk(batch, steps=_DRAWN_STEPS, seconds=_SECONDS)
    for _ in moments:
        sizes.add(_look(subject, report, batch))
    batch.close()
    report.expect(len(sizes) == 1, f"pictures have the sizes {sorted(sizes)}", fix="draw every moment in the same size")
    offered = {"draw": subject.world.draw, "seen_by": subject.world.seen_by, "explain_mask": subject.world.explain_mask}
    report.note(f"offered: {', '.join(name for name, offer in offered.items() if offer is not None) or 'render_state'}")


def _look(subject: Subject, report: Report, batch: Batch) -> tuple[int, int]:
    state = batch.render_state(0)
    _check_state(subject, report, state)
    text = _written(report, state)
    report.expect(
        _written(report, batch.render_state(0)) == text,
        "render_state() tells something else when it is asked again",
        fix="let it only look: no draws, no changes",
    )
    _check_seats(subject, report, batch, state)
    if subject.world.draw is None:
        return (0, 0)
    events = batch.step_record(0).events
    first, second = (subject.world.draw(state, events) for _ in range(2))
    if not report.expect(
        hasattr(first, "tobytes"), f"draw() returned a {type(first).__name__}", fix="return a PIL.Image.Image"
    ):
        return (0, 0)
    report.expect(
        first.tobytes() == second.tobytes(), "draw() draws one moment in two ways", fix="draw from the state alone"
    )
    return first.size


def _written(report: Report, state: JsonObject) -> str:
    try:
        text = canonical_json(state)
    except (TypeError, ValueError) as error:
        report.fail(
            f"the render state is no JSON: {error}",
            fix="use Python's own numbers, texts, lists and dictionaries; float(...) and .tolist() make them",
        )
        return ""
    report.expect(
        json.loads(text) == state,
        "the render state is another one after a trip through JSON",
        fix="use texts as keys, and lists, not tuples",
    )
    return text


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _check_state(subject: Subject, report: Report, state: JsonObject) -> None:
    if not report.expect(
        isinstance(state, dict),
        f"render_state() returned a {type(state).__name__}",
        fix="return a dictionary",
    ):
        return
    missing = [key for key in _REQUIRED if key not in state]
    if not report.expect(
        not missing,
        f"the render state lacks {', '.join(missing)}",
        fix=f"every world tells {', '.join(_REQUIRED)}; time is in ticks",
    ):
        return
    headline, version = state["headline"], subject.spec.render_schema_version
    report.expect(
        isinstance(headline, dict)
        and set(headline) == set(subject.spec.headline)
        and all(map(_is_number, headline.values())),
        f"the render state has the headline {headline}",
        fix=f"give an object of the headline metrics with their numbers: {', '.join(subject.spec.headline)}",
    )
    report.expect(
        _is_number(state["time"]) and (state["time_remaining"] is None or _is_number(state["time_remaining"])),
        f"the render state has the time {state['time']!r}, and {state['time_remaining']!r} remaining",
        fix="both are numbers of ticks; without a limit, time_remaining is None",
    )
    report.expect(
        state["schema_version"] == version,
        f"the render state has the schema version {state['schema_version']!r}",
        fix=f"the contract says {version}",
    )


def _check_seats(subject: Subject, report: Report, batch: Batch, state: JsonObject) -> None:
    for seat in range(batch.spec.agents):
        picture = state if subject.world.seen_by is None else subject.world.seen_by(state, seat).picture
        _written(report, picture)
        if subject.world.explain_mask is None or not batch.alive[seat]:
            continue
        reasons = subject.world.explain_mask(picture, seat)
        is_told = np.array([bool(reason) for reason in reasons])
        report.expect(
            len(reasons) == len(batch.spec.option_names) and bool(is_told[batch.masks[seat] == 0].all()),
            f"explain_mask() does not go with the mask of seat {seat}",
            fix="give one text per option of all heads, and a reason for each that is masked",
        )
