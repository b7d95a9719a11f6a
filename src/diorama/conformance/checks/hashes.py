"""The state hash: whatever can be seen of a copy is in it."""

from diorama.conformance.report import Report
from diorama.conformance.subject import SEED, Subject
from diorama.conformance.walking import moment_of, walk

_COPIES = 4


def check_hashes(subject: Subject, report: Report) -> None:
    """Play one seed in several ways; moments with equal hashes must look alike."""
    for tier in subject.tiers:
        batch = subject.opened(tier, (SEED,) * _COPIES)
        views: dict[int, tuple[bytes, bytes, bytes]] = {}
        for _ in walk(batch):
            for copy in range(batch.copies):
                moment = moment_of(batch, copy)
                view = (moment.obs, moment.obs_u8, moment.masks)
                report.expect(
                    views.setdefault(moment.state_hash, view) == view,
                    f"{tier.value} tier: two moments have the same state hash, and look different",
                    fix="put everything that decides the future, or can be seen, among the state_words()",
                )
        batch.close()
        report.note(f"{tier.value}: {len(views)} states")
