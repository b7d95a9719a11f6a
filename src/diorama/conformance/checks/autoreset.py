"""Auto-reset: the step that ends an episode opens the next one of the copy's sequence."""

from diorama.conformance.endings import Unended
from diorama.conformance.report import Report
from diorama.conformance.subject import Subject
from diorama.conformance.walking import moment_of
from diorama.rng import episode_seed


def check_autoreset(subject: Subject, report: Report) -> None:
    """Compare what follows an ended episode with the episode of that seed, opened afresh."""
    ending = subject.first_ending
    if isinstance(ending, Unended):
        report.skip("no episode ended; see the check before")
        return
    expected = episode_seed(ending.old_seed, 0, 1)
    report.expect(
        ending.new_seed == expected,
        f"the episode after seed {ending.old_seed} has the seed {ending.new_seed}",
        fix=f"episode_seed must be the seed that reset() was given: {expected}",
    )
    report.expect(
        all(ending.starts),
        f"the rows of a new episode have the episode_start {list(ending.starts)}",
        fix="every row of a copy that begins anew is marked with 1",
    )
    report.expect(ending.goes_on, "nobody can decide in the episode after the first", fix="write_alive() after reset()")
    if ending.carries or not subject.has_own_copies:
        report.note("copies belong together or carry something over: the opening was not compared with a fresh one")
        return
    batch = subject.opened(subject.quickest, (ending.new_seed,))
    fresh = moment_of(batch)
    batch.close()
    for name in ("state_hash", "obs", "obs_u8", "masks"):
        report.expect(
            getattr(fresh, name) == getattr(ending.opening, name),
            f"after an auto-reset the {name.replace('_', ' ')} is not that of seed {ending.new_seed} opened afresh",
            fix="reset(seed) must leave nothing of the episode before",
        )
