"""Plans: what the registration names for evaluation, parity and play exists, and its configurations are valid."""

from collections.abc import Iterator, Mapping

from diorama.conformance.report import Report
from diorama.conformance.subject import SEED, Subject
from diorama.contracts.config import parse_config
from diorama.contracts.errors import ConfigError, UnknownName
from diorama.contracts.plans import EvaluationProtocol, ParityPlan
from diorama.learn.evaluation.summary import EpisodeRecord, summarize
from diorama.runs.replays.tags import check_milestones


def check_plans(subject: Subject, report: Report) -> None:
    """Look up every name, and parse every configuration."""
    world = subject.world
    has_plans = all(
        report.expect(
            isinstance(plan, kind), f"World.{name} is a {type(plan).__name__}", fix=f"give it a {kind.__name__}"
        )
        for name, plan, kind in (
            ("evaluation", world.evaluation, EvaluationProtocol),
            ("parity", world.parity, ParityPlan),
        )
    )
    if not has_plans:
        report.stop()
        return
    for place, settings in _configurations(subject):
        _check_configuration(subject, report, place, settings)
    _check_bots(subject, report)
    _check_evaluation(subject, report)
    _check_parity(world.parity, report)
    try:
        check_milestones(subject.spec, dict(subject.spec.milestones))
    except UnknownName as error:
        report.fail(f"WorldSpec.milestones: {error}", fix="name metrics of the contract, or 'return'")


def _configurations(subject: Subject) -> Iterator[tuple[str, Mapping[str, object]]]:
    world = subject.world
    for label, config in world.parity.configs:
        yield f"World.parity, configuration {label!r}", config() if callable(config) else config
    for name, overrides in world.evaluation.return_profiles:
        changed = overrides(subject.config) if callable(overrides) else overrides
        yield f"World.evaluation, profile {name!r}", {**subject.config.model_dump(mode="json"), **changed}
    for name, overlay in world.overlays.items():
        yield f"World.overlays, {name!r}", overlay


def _check_configuration(subject: Subject, report: Report, place: str, settings: Mapping[str, object]) -> None:
    world = subject.world
    try:
        parse_config(world.id, world.config_type, settings)
    except ConfigError as error:
        report.fail(f"{place}: {error}", fix="name keys of the world's configuration, with values that it takes")


def _check_bots(subject: Subject, report: Report) -> None:
    world = subject.world
    named = {
        "World.expert": world.expert,
        "World.companion": None if world.companion is None else world.companion(subject.config),
        **{f"expectation {item.title!r}": item.baseline for item in world.evaluation.expectations},
    }
    for place, name in named.items():
        report.expect(
            name is None or name in world.bots,
            f"{place} names the bot {name!r}",
            fix=f"there are: {', '.join(world.bots) or 'none'}",
        )


def _check_evaluation(subject: Subject, report: Report) -> None:
    protocol = subject.world.evaluation
    for count, what in (
        (len(protocol.matrix_seeds), "matrix_seeds"),
        (protocol.episodes, "episodes"),
        (protocol.max_decisions, "max_decisions"),
    ):
        report.expect(count >= 1, f"World.evaluation has no {what}", fix="give one at least")
    named = [item.summary for item in protocol.comparisons]
    named += [name for item in protocol.expectations for name in (item.summary, *item.at_least)]
    for name in dict.fromkeys((*protocol.summaries, *protocol.interval_summaries, *named)):
        try:
            summarize([_episode(subject)], (name,))
        except UnknownName as error:
            report.fail(
                f"World.evaluation: {error}",
                fix="a summary is a metric, or return_PROFILE, and a statistic: 'delivered_mean'",
            )
            return
    known = summarize([_episode(subject)], protocol.summaries).values
    for name in named:
        report.expect(
            name in known,
            f"World.evaluation compares {name!r}, which is not among its summaries",
            fix="add it to EvaluationProtocol.summaries",
        )


def _episode(subject: Subject) -> EpisodeRecord:
    return EpisodeRecord(
        policy="",
        seed=SEED,
        seat=0,
        decisions=1,
        ticks=1,
        returns={name: 0.0 for name, _ in subject.world.evaluation.return_profiles},
        terminated=True,
        truncated=False,
        guard_truncated=False,
        end_reason=None,
        invalid_actions=0,
        metrics=dict.fromkeys(subject.spec.metric_keys, 0.0),
    )


def _check_parity(plan: ParityPlan, report: Report) -> None:
    known = [suite.name for suite in plan.suites]
    for name in plan.quick_suites:
        report.expect(
            name in known,
            f"World.parity names the quick suite {name!r}",
            fix=f"there are: {', '.join(known) or 'none'}",
        )
    for count, what in ((plan.seeds, "seeds"), (plan.steps, "steps"), (len(plan.configs), "configs")):
        report.expect(count >= 1, f"World.parity has no {what}", fix="give one at least")
