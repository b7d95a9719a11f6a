"""Episodes: they end by the rules or by a limit, and the last step says so."""

from diorama.conformance.checks.values import strays
from diorama.conformance.endings import Unended
from diorama.conformance.report import Report
from diorama.conformance.subject import Subject


def check_episodes(subject: Subject, report: Report) -> None:
    """Play by chance until an episode ends."""
    ending = subject.first_ending
    if isinstance(ending, Unended) and ending.is_out_of_time:
        report.skip(
            f"no episode ended in {ending.decisions} decisions, and time was up; try a --config with shorter ones"
        )
        return
    if isinstance(ending, Unended):
        report.fail(
            f"no episode ended in {ending.decisions} decisions, the most that World.evaluation allows",
            fix="let is_over come true: end by the rules, or truncate at a limit below evaluation.max_decisions",
        )
        return
    report.expect(
        ending.is_told,
        "the copy began anew, and no row was terminated or truncated in that step",
        fix="the record of the last step must say terminated or truncated for whoever was still playing",
    )
    for stray in strays(subject.spec, ending.final_obs, ending.final_obs_u8):
        report.fail(f"in the last observation, {stray}", fix="observe() must work when the episode is over")
    report.note(f"the first episode ended after {ending.decisions} decisions")
