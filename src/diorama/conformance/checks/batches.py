"""Batches: a copy is the same alone and among others, on one thread and on several."""

from typing import Final

from diorama.conformance.report import Report
from diorama.conformance.subject import OTHER_SEED, SEED, Subject
from diorama.conformance.walking import Moment, moment_of, rows_of, walk
from diorama.contracts.buffers import Buffers
from diorama.contracts.tiers import Tier
from diorama.contracts.values import I32

_SEEDS: Final = (SEED, OTHER_SEED, SEED + 1)
_SECOND: Final = 1
_PARTS: Final = 2


def check_batches(subject: Subject, report: Report) -> None:
    """Play three copies together, then the second alone, then all on two threads, then in parts with other arrays."""
    if not subject.has_own_copies:
        report.note("the copies belong together (World.assemble), so that one alone was not compared")
    for tier in subject.tiers:
        actions, moments = _play_together(subject, tier, threads=1)
        if subject.has_own_copies:
            _check_alone(subject, report, tier, actions, [row[_SECOND] for row in moments])
        _, threaded = _play_together(subject, tier, threads=2, actions=actions)
        report.expect(
            threaded == moments,
            f"{tier.value} tier: two threads give another result than one",
            fix="let no copy touch what another reads, and sum in a fixed order",
        )
        _check_parts(subject, report, tier, actions, moments)
        report.note(f"{tier.value}: {len(actions)} steps of {len(_SEEDS)} copies")


def _play_together(
    subject: Subject, tier: Tier, *, threads: int, actions: list[I32] | None = None
) -> tuple[list[I32], list[list[Moment]]]:
    batch = subject.opened(tier, _SEEDS, threads=threads)
    taken, moments = list[I32](), list[list[Moment]]()
    if actions is None:
        for chosen in walk(batch):
            taken.append(chosen)
            moments.append([moment_of(batch, copy) for copy in range(batch.copies)])
    else:
        for chosen in actions:
            batch.step(chosen)
            moments.append([moment_of(batch, copy) for copy in range(batch.copies)])
    batch.close()
    return actions or taken, moments


def _check_parts(subject: Subject, report: Report, tier: Tier, actions: list[I32], moments: list[list[Moment]]) -> None:
    """Have a batch write into other arrays from step to step, as a trainer does, and split it half way."""
    if subject.world.training is not None and subject.world.training(subject.config).one_lane:
        return
    parts = [subject.opened(tier, _SEEDS)]
    for step, (chosen, together) in enumerate(zip(actions, moments, strict=True)):
        if step == len(actions) // 2:
            parts = parts[0].split(_PARTS)
        places = [(part, copy) for part in parts for copy in range(part.copies)]
        first = 0
        for part in parts:
            part.step(chosen[first : first + part.rows], into=Buffers.allocate(part.spec, part.copies))
            first += part.rows
        differs = [one.differs_in(moment_of(*place)) for one, place in zip(together, places, strict=True)]
        if not report.expect(
            not any(differs),
            f"{tier.value} tier: in {len(parts)} parts that write into other arrays each time, copies have another "
            f"{next(filter(None, differs), '')} at step {step}",
            fix="split() hands copies over with all they hold, and step() writes the arrays that it is given",
        ):
            break
    for part in parts:
        part.close()


def _check_alone(subject: Subject, report: Report, tier: Tier, actions: list[I32], moments: list[Moment]) -> None:
    alone = subject.opened(tier, (_SEEDS[_SECOND],))
    for step, (chosen, among_others) in enumerate(zip(actions, moments, strict=True)):
        alone.step(rows_of(chosen, alone, _SECOND))
        if alone.episode_seed(0) != _SEEDS[_SECOND]:
            break  # what follows an ended episode depends on the place of the copy
        differs = among_others.differs_in(moment_of(alone))
        if differs:
            report.fail(
                f"{tier.value} tier: a copy among others has another {differs} at step {step} than alone",
                fix="keep all state in the copy: nothing global, nothing shared between simulations",
            )
            break
    alone.close()
