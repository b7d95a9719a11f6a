"""Seeds: one episode for each, whenever and wherever it is played."""

from typing import Final

from diorama.conformance.report import Report
from diorama.conformance.subject import OTHER_SEED, SEED, Subject
from diorama.conformance.walking import Moment, moment_of, walk
from diorama.contracts.tiers import Tier
from diorama.contracts.values import I32

_FIX: Final = "draw only from streams that reset(seed) begins anew, and keep nothing of the episode before"


def check_seeds(subject: Subject, report: Report) -> None:
    """Play an episode, open it again, play it again elsewhere, and play another."""
    for tier in subject.tiers:
        batch = subject.opened(tier)
        opening, actions, moments = moment_of(batch), list[I32](), list[Moment]()
        for taken in walk(batch):
            actions.append(taken)
            moments.append(moment_of(batch))
        batch.reset([SEED])
        differs = opening.differs_in(moment_of(batch))
        report.expect(
            not differs, f"{tier.value} tier: seed {SEED} opens differently in a used copy ({differs})", fix=_FIX
        )
        batch.close()
        _check_again(subject, report, tier, actions, moments)
        _check_other(subject, report, tier, actions, [opening, *moments])
        report.note(f"{tier.value}: {len(actions)} decisions")


def _check_again(subject: Subject, report: Report, tier: Tier, actions: list[I32], moments: list[Moment]) -> None:
    batch = subject.opened(tier)
    for step, (taken, before) in enumerate(zip(actions, moments, strict=True)):
        batch.step(taken)
        differs = before.differs_in(moment_of(batch))
        if differs:
            report.fail(
                f"{tier.value} tier: seed {SEED} and the same decisions give another {differs} at step {step}", fix=_FIX
            )
            break
    batch.close()


def _check_other(subject: Subject, report: Report, tier: Tier, actions: list[I32], moments: list[Moment]) -> None:
    batch = subject.opened(tier, (OTHER_SEED,))
    seen = [moment_of(batch)]
    for taken in actions:
        batch.step(taken)
        seen.append(moment_of(batch))
    draws = batch.step_record(0).draws
    batch.close()
    is_other = any(one.differs_in(other) for one, other in zip(moments, seen, strict=True))
    if not is_other and not draws:
        report.note("no random number was drawn, so that seeds make no difference in this configuration")
        return
    report.expect(
        is_other,
        f"{tier.value} tier: {draws} random numbers were drawn, and seeds {SEED} and {OTHER_SEED} are the same episode",
        fix="begin the streams from the seed that reset() is given",
    )
