"""Start states: an episode may begin in a stored state, with the random numbers it was stored with or others."""

from typing import Final

from diorama.conformance.report import Report
from diorama.conformance.subject import OTHER_SEED, Subject
from diorama.conformance.walking import Moment, moment_of, short_walk, walk
from diorama.contracts.errors import ContractError
from diorama.contracts.tiers import Tier
from diorama.engine.batch import Batch

_LEAD_STEPS: Final = 17
_SECONDS: Final = 4.0
_FRESH_SEED: Final = 31
_FIX: Final = "reseed() must begin the random streams of the copy from the seed, and change nothing else"
_UNSUPPORTED: Final = ("start_states_unsupported", "reseeding_unsupported")


def check_start_states(subject: Subject, report: Report) -> None:
    """Begin an episode in the middle of another one, in every tier."""
    lead = subject.opened(subject.quickest)
    for _ in short_walk(lead, steps=_LEAD_STEPS, seconds=_SECONDS):
        pass
    data = lead.snapshot(0)
    lead.close()
    fresh: dict[Tier, list[Moment]] = {}
    for tier in subject.tiers:
        try:
            fresh[tier] = _episode(subject, tier, data, _FRESH_SEED)
        except ContractError as error:
            if error.code not in _UNSUPPORTED:
                raise
            report.note(f"{tier.value}: {error}")
            continue
        _check_tier(subject, report, tier, data, fresh[tier])
    if not fresh:
        report.skip("episodes of this world begin in stored states nowhere, or not with other random numbers")
    elif len(fresh) == len(Tier) and not subject.world.tolerance:
        _check_alike(report, fresh[Tier.REFERENCE], fresh[Tier.FAST])


def _check_tier(subject: Subject, report: Report, tier: Tier, data: bytes, fresh: list[Moment]) -> None:
    stored, restored = (subject.opened(tier, (OTHER_SEED,)) for _ in range(2))
    stored.start_from(0, data)
    restored.restore(0, data)
    reseeded = subject.opened(tier, (OTHER_SEED,))
    reseeded.start_from(0, data, seed=_FRESH_SEED)
    for name in ("obs", "obs_u8", "masks"):
        wanted = getattr(moment_of(restored), name)
        report.expect(
            getattr(moment_of(stored), name) == wanted and getattr(moment_of(reseeded), name) == wanted,
            f"{tier.value} tier: an episode that begins in a stored state shows other {name}",
            fix=_FIX,
        )
    report.expect(
        stored.state_hash(0) == restored.state_hash(0),
        f"{tier.value} tier: an episode that begins in a stored state is in another one",
        fix="start_from() must load the snapshot as restore() does",
    )
    again = _episode(subject, tier, data, _FRESH_SEED)
    report.expect(
        all(not one.differs_in(other) for one, other in zip(fresh, again, strict=False)),
        f"{tier.value} tier: the same seed leads elsewhere the second time",
        fix=_FIX,
    )
    for batch in (stored, restored, reseeded):
        batch.close()


def _check_alike(report: Report, one: list[Moment], other: list[Moment]) -> None:
    for step, (first, second) in enumerate(zip(one, other, strict=False)):
        differs = first.differs_in(second)
        if differs:
            report.fail(f"after a fresh seed the tiers go on with another {differs} at step {step}", fix=_FIX)
            return


def _episode(subject: Subject, tier: Tier, data: bytes, seed: int) -> list[Moment]:
    batch: Batch = subject.opened(tier, (OTHER_SEED,))
    try:
        batch.start_from(0, data, seed=seed)
        return [moment_of(batch) for _ in walk(batch)]
    finally:
        batch.close()
