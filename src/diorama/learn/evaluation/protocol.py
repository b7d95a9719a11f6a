"""The evaluation protocol of a world: comparisons and expectations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from diorama.contracts.errors import UnknownName
from diorama.contracts.plans import Comparison, EvaluationProtocol, Expectation
from diorama.contracts.spec import Better
from diorama.engine.players import Contender, ContenderKind, bot_contender
from diorama.engine.venue import Venue
from diorama.learn.evaluation.contest import ContenderResult, Contest, check_contenders, hold_contest, seed_matrix
from diorama.learn.evaluation.episodes import Asking, Progress, ask_here


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonRow:
    """The reference policy against one candidate by one summary; `difference` is reference minus candidate."""

    candidate: str
    summary: str
    better: Better
    reference_value: float
    candidate_value: float
    difference: float
    reference_at_least_as_good: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectationOutcome:
    """Whether the reference policy meets a demand, with the numbers that decide it.

    `floors` holds bound and value of every further lower bound.
    """

    expectation: Expectation
    value: float
    baseline_value: float
    floors: Mapping[str, tuple[float, float]]
    is_met: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The verdict on a contest.

    Attributes:
        reference: The contender that is judged.
        rows: It against every other contender by every comparison metric.
        expectations: The demands on it, in the protocol's order.
    """

    contest: Contest
    reference: str
    rows: tuple[ComparisonRow, ...]
    expectations: tuple[ExpectationOutcome, ...]

    @property
    def meets_expectations(self) -> bool:
        """Whether every demand is met."""
        return all(outcome.is_met for outcome in self.expectations)


def run_protocol(
    venue: Venue,
    contenders: Sequence[Contender],
    *,
    progress: Progress,
    reference: str | None = None,
    episodes: int | None = None,
    max_decisions: int | None = None,
    ask: Asking = ask_here,
) -> Judgement:
    """Run the world's evaluation protocol.

    Args:
        venue: Where to play; the protocol asks for the default configuration.
        contenders: Who plays. Baselines that an expectation names and that are missing here are added.
        progress: Told how it advances.
        reference: Who is judged; by default the first trained policy, else the last contender, as a world lists its
            bots weakest first.
        episodes: Episodes per matrix seed; the protocol's number by default.
        max_decisions: Guard per episode; the protocol's by default.
        ask: Where episodes are played; here unless given.
    """
    check_contenders(contenders)
    protocol = venue.world.evaluation
    judged = _reference_name(contenders, reference)
    contest = hold_contest(
        venue,
        [*contenders, *_missing_baselines(venue, protocol, contenders)],
        seed_matrix(protocol.matrix_seeds, protocol.episodes if episodes is None else episodes),
        max_decisions=protocol.max_decisions if max_decisions is None else max_decisions,
        progress=progress,
        ask=ask,
    )
    return judge(contest, judged)


def judge(contest: Contest, reference: str) -> Judgement:
    """Compare the reference with everyone else and check what is expected of it.

    Raises:
        UnknownName: The reference or a baseline did not take part.
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


def _reference_name(contenders: Sequence[Contender], asked: str | None) -> str:
    names = [contender.name for contender in contenders]
    if asked is None:
        trained = [contender.name for contender in contenders if contender.kind is ContenderKind.RUN]
        return trained[0] if trained else names[-1]
    if asked not in names:
        raise UnknownName.among("contender", asked, names)
    return asked


def _missing_baselines(venue: Venue, protocol: EvaluationProtocol, contenders: Sequence[Contender]) -> list[Contender]:
    present = {contender.name for contender in contenders}
    wanted = {expectation.baseline for expectation in protocol.expectations}
    return [bot_contender(venue.world, name) for name in venue.world.bots if name in wanted - present]


def _named(results: Mapping[str, ContenderResult], name: str) -> ContenderResult:
    if name not in results:
        raise UnknownName.among("contender", name, results)
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
