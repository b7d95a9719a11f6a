"""The simulation itself: one copy of the readable tier, asked as the engine asks it, before the engine does."""

from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np

from diorama.conformance.checks.records import check_opening, check_record, check_step
from diorama.conformance.report import Report
from diorama.conformance.subject import SEED, Subject
from diorama.conformance.walking import Chooser, paces
from diorama.contracts.errors import TierUnavailable
from diorama.contracts.records import Decision, StepRecord
from diorama.contracts.spec import WorldSpec
from diorama.contracts.tiers import CoreRequest, Simulation
from diorama.contracts.values import F32, U8

_CALLS: Final = (
    *("reset", "step", "opening_record", "observe", "write_masks", "write_alive", "write_episode_starts"),
    *("state_words", "snapshot_words", "load_words", "render_state"),
)
_CORE_CALLS: Final = (
    *("reset", "step", "episode_seed", "step_record", "opening_record", "snapshot", "restore"),
    *("state_words", "state_hash", "render_state", "split"),
)
_VALUES: Final = {"is_over": bool, "episode_seed": int}
_MARKS: Final = (0, 91)  # what arrays hold before a copy writes them; a place that keeps both was left out


def check_simulation(subject: Subject, report: Report) -> None:
    """Reset a copy, step it to the end of its episode, and look at everything that it returns and writes."""
    if not subject.has_own_copies:
        report.skip("copies belong together (World.assemble); nobody asks one alone")
        return
    simulation = subject.world.simulate(subject.config)
    if not _offers_all(simulation, report) or not _check_core(subject, report):
        report.stop()
        return
    simulation.reset(SEED)
    if not _has_values(simulation, report) or not _look(subject.spec, report, simulation, "at the opening"):
        report.stop()
        return
    record = simulation.opening_record()
    if not check_record(subject.spec, report, record, "opening_record()"):
        report.stop()
        return
    check_opening(report, record, "opening_record()")
    if not report.expect(
        bool(_View.of(subject.spec, simulation, _MARKS[0]).alive.any()),
        "nobody decides when an episode opens",
        fix="write_alive() writes 1 for every seat that takes the next decision",
    ):
        report.stop()
        return
    if not _step_on(subject.spec, report, simulation):
        report.stop()


def _step_on(spec: WorldSpec, report: Report, simulation: Simulation) -> bool:
    chooser, draws = Chooser(spec), 0
    for step in paces():
        view = _View.of(spec, simulation, _MARKS[0])
        decisions = [chooser.decide(mask) if alive else spec.noop for mask, alive in zip(*view.asked, strict=True)]
        kept = simulation.state_words()
        before = kept.copy()
        record = simulation.step(decisions)
        if not check_record(spec, report, record, "step()"):
            return False
        check_step(report, record, "step()")
        _check_received(report, record, view.alive, decisions, step)
        report.expect(
            record.draws >= draws,
            f"step {step}: {record.draws} random numbers were drawn since the seed, and {draws} before it",
            fix="draws only grows while an episode runs",
        )
        if not _has_values(simulation, report) or not _look(spec, report, simulation, "after a step"):
            return False
        report.expect(
            bool(np.array_equal(kept, before)),
            "words that state_words() returned changed when the copy was stepped",
            fix="return an array of their own, not one that the copy goes on writing",
        )
        if simulation.is_over:
            break
        draws = record.draws
    report.note(f"{step + 1} steps")
    return True


def _offers_all(simulation: Simulation, report: Report) -> bool:
    missing = [name for name in _CALLS if not callable(getattr(simulation, name, None))]
    return report.expect(
        not missing,
        f"World.simulate returned a {type(simulation).__name__} without {', '.join(missing)}",
        fix="implement diorama.contracts.tiers.Simulation",
    )


def _check_core(subject: Subject, report: Report) -> bool:
    request = CoreRequest(copies=1, seed=SEED, threads=1, device="cpu")
    try:
        core = subject.world.accelerate(subject.config, request)
    except TierUnavailable:
        return True
    missing = [name for name in _CORE_CALLS if not callable(getattr(core, name, None))]
    return report.expect(
        not missing,
        f"World.accelerate returned a {type(core).__name__} without {', '.join(missing)}",
        fix="implement diorama.contracts.tiers.BatchCore, or raise TierUnavailable",
    )


def _has_values(simulation: Simulation, report: Report) -> bool:
    return all(
        report.expect(
            isinstance(getattr(simulation, name, None), kind),
            f"{name} is {getattr(simulation, name, None)!r}",
            fix=f"make it a property that returns {'True or False' if kind is bool else 'a Python int'}",
        )
        for name, kind in _VALUES.items()
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _View:
    """What a copy writes into arrays, all of which held a mark before."""

    obs: F32
    obs_u8: U8
    masks: U8
    alive: U8
    starts: U8

    @classmethod
    def of(cls, spec: WorldSpec, simulation: Simulation, mark: int) -> Self:
        """Have a copy write into arrays of its own."""
        shapes: dict[str, tuple[tuple[int, ...], Any]] = {
            "obs": ((spec.agents, spec.obs_width), np.float32),
            "obs_u8": ((spec.agents, spec.obs_u8_width), np.uint8),
            "masks": ((spec.agents, len(spec.option_names)), np.uint8),
            "alive": ((spec.agents,), np.uint8),
            "starts": ((spec.agents,), np.uint8),
        }
        view = cls(**{name: np.full(shape, mark, dtype) for name, (shape, dtype) in shapes.items()})
        simulation.observe(view.obs, view.obs_u8)
        simulation.write_masks(view.masks)
        simulation.write_alive(view.alive)
        simulation.write_episode_starts(view.starts)
        return view

    @property
    def asked(self) -> tuple[U8, U8]:
        """Masks and who decides, seat by seat."""
        return self.masks, self.alive


_WRITERS: Final = {
    "obs": "observe()",
    "obs_u8": "observe()",
    "masks": "write_masks()",
    "alive": "write_alive()",
    "starts": "write_episode_starts()",
}


def _look(spec: WorldSpec, report: Report, simulation: Simulation, where: str) -> bool:
    words = simulation.state_words()
    if not report.expect(
        isinstance(words, np.ndarray) and words.dtype == np.uint64 and words.ndim == 1,
        f"state_words() returned {_shown(words)}",
        fix="return a flat array of numpy.uint64; WordWriter.words() makes one",
    ):
        return False
    before = words.copy()
    first, second = (_View.of(spec, simulation, mark) for mark in _MARKS)
    for name, call in _WRITERS.items():
        one, other = getattr(first, name), getattr(second, name)
        deciding = first.alive == 1
        is_written = np.array_equal(one[deciding], other[deciding], equal_nan=name == "obs")
        report.expect(
            is_written,
            f"{call} leaves places of {name} as they were ({where})",
            fix="write every place of the array that it is given, each time: name[:] = ..., not name = ...",
        )
    simulation.render_state()
    simulation.opening_record()
    report.expect(
        bool(np.array_equal(simulation.state_words(), before)),
        f"looking at a copy changes it ({where})",
        fix="observe, write_masks, write_alive, write_episode_starts, state_words, opening_record and render_state "
        "only look: no draws, no changes",
    )
    return True


def _check_received(report: Report, record: StepRecord, alive: U8, decisions: list[Decision], step: int) -> None:
    for seat, decision in enumerate(decisions):
        if alive[seat]:
            report.expect(
                record.received[seat] == decision and record.effective[seat] is not None,
                f"step {step}: seat {seat} sent {decision}, and the record has received {record.received[seat]} "
                f"and effective {record.effective[seat]}",
                fix="received is what the seat sent, effective what was carried out; None if it sends nothing",
            )


def _shown(words: object) -> str:
    if isinstance(words, np.ndarray):
        return f"an array of {words.dtype} with {words.ndim} dimensions"
    return f"a {type(words).__name__}"
