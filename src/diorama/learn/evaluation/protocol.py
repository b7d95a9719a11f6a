"""The evaluation protocol of a world: comparisons and expectations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from diorama.contracts.errors import UnknownName
from diorama.contracts.plans import Comparison, EvaluationProtocol, Expectation
from diorama.contracts.spec import Better
from diorama.engine.players import Contender, ContenderKind, bot_contender
from diorama.engine.venue import Venue
from diorama.learn.evaluation.contest import ContenderResult, Contest, check_contenders, run_contest, seed_matrix
from diorama.learn.evaluation.episodes import Progress, SubmitEpisodes, submit_locally


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonRow:
    """Comparison of the reference policy with a candidate by one summary; `difference` is reference minus candidate."""

    candidate: str
    summary: str
    better: Better
    reference_value: float
    candidate_value: float
    difference: float
    reference_at_least_as_good: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectationOutcome:
    """Whether the reference policy meets an expectation, with the numbers that decide it.

    `floors` holds the bound and the value of each additional lower bound.
    """

    expectation: Expectation
    value: float
    baseline_value: float
    floors: Mapping[str, tuple[float, float]]
    is_met: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The evaluation of a contest by the world's protocol.

    Attributes:
        reference: Name of the contender that is judged.
        rows: Comparisons with every other contender by every comparison metric.
        expectations: Outcomes of the expectations, in the protocol's order.
    """

    contest: Contest
    reference: str
    rows: tuple[ComparisonRow, ...]
    expectations: tuple[ExpectationOutcome, ...]

    @property
    def meets_expectations(self) -> bool:
        """Whether all expectations are met."""
        return all(outcome.is_met for outcome in self.expectations)


def run_protocol(
    venue: Venue,
    contenders: Sequence[Contender],
    *,
    progress: Progress,
    reference: str | None = None,
    episodes: int | None = None,
    max_decisions: int | None = None,
    submit: SubmitEpisodes = submit_locally,
) -> Judgement:
    """Run the world's evaluation protocol.

    Args:
        venue: World, configuration and tier; the protocol is defined for the default configuration.
        contenders: The players. Missing baselines that an expectation names are added.
        progress: Receives the progress.
        reference: Name of the contender to judge; by default the first trained policy, else the last contender, as a
            world lists its bots weakest first.
        episodes: Episodes per matrix seed; the protocol's number by default.
        max_decisions: Limit of decisions per episode; the protocol's by default.
        submit: Runs the episodes; in this process by default.

    Raises:
        ConfigError: There are no contenders, a name appears twice, or a number is out of range.
        UnknownName: The reference is not a contender.
    """
    check_contenders(contenders)
    protocol = venue.world.evaluation
    judged = _reference_name(contenders, reference)
    contest = run_contest(
        venue,
        [*contenders, *_missing_baselines(venue, protocol, contenders)],
        seed_matrix(protocol.matrix_seeds, protocol.episodes if episodes is None else episodes),
        max_decisions=protocol.max_decisions if max_decisions is None else max_decisions,
        progress=progress,
        submit=submit,
    )
    return judge(contest, judged)


def judge(contest: Contest, reference: str) -> Judgement:
    """Compare the reference with all other contenders and check the expectations.

    Raises:
        UnknownName: The reference or a baseline of an expectation is not in the contest.
    """
    protocol = contest.venue.world.evaluation
    results = {result.name: result for result in contest.results}
    judged = _named(results, reference)
    rows = [
        _compare(comparison, judged, candidate)
        for candidate in contest.results
        if candidate is not judged
        for comparison in protocol.comparisons
    ]
    outcomes = [_check(item, judged, _named(results, item.baseline)) for item in protocol.expectations]
    return Judgement(contest=contest, reference=reference, rows=tuple(rows), expectations=tuple(outcomes))


def _reference_name(contenders: Sequence[Contender], reference: str | None) -> str:
    names = [contender.name for contender in contenders]
    if reference is None:
        trained = [contender.name for contender in contenders if contender.kind is ContenderKind.RUN]
        return trained[0] if trained else names[-1]
    if reference not in names:
        raise UnknownName.among("contender", reference, names, code="unknown_contender")
    return reference


def _missing_baselines(venue: Venue, protocol: EvaluationProtocol, contenders: Sequence[Contender]) -> list[Contender]:
    present = {contender.name for contender in contenders}
    wanted = {expectation.baseline for expectation in protocol.expectations}
    return [bot_contender(venue.world, name) for name in venue.world.bots if name in wanted - present]


def _named(results: Mapping[str, ContenderResult], name: str) -> ContenderResult:
    if name not in results:
        raise UnknownName.among("contender", name, results, code="unknown_contender")
    return results[name]


def _compare(comparison: Comparison, reference: ContenderResult, candidate: ContenderResult) -> ComparisonRow:
    ours = reference.aggregate.values[comparison.summary]
    theirs = candidate.aggregate.values[comparison.summary]
    return ComparisonRow(
        candidate=candidate.name,
        summary=comparison.summary,
        better=comparison.better,
        reference_value=ours,
        candidate_value=theirs,
        difference=ours - theirs,
        reference_at_least_as_good=ours <= theirs if comparison.better is Better.LOWER else ours >= theirs,
    )


def _check(expectation: Expectation, reference: ContenderResult, baseline: ContenderResult) -> ExpectationOutcome:
    values = reference.aggregate.values
    value, baseline_value = values[expectation.summary], baseline.aggregate.values[expectation.summary]
    reaches = value > baseline_value if expectation.strictly else value >= baseline_value
    floors = {name: (bound, values[name]) for name, bound in expectation.at_least.items()}
    return ExpectationOutcome(
        expectation=expectation,
        value=value,
        baseline_value=baseline_value,
        floors=floors,
        is_met=reaches and all(found >= bound for bound, found in floors.values()),
    )
