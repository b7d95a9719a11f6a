"""Learned policies beside the baselines, with confidence intervals."""

from rich.box import SIMPLE
from rich.table import Table

from diorama.cli.counting import counted
from diorama.cli.evaluation.tables import short_number
from diorama.engine.players import ContenderKind
from diorama.learn.evaluation.contest import ContenderResult, Contest
from diorama.learn.evaluation.headline_scores import headline_score
from diorama.learn.evaluation.summary import metric_column


def standings_table(contest: Contest) -> Table:
    """Return one line per contender, best first by the first headline metric; learned policies stand out."""
    spec = contest.venue.spec
    episodes = contest.results[0].aggregate.episodes
    table = Table(
        title=f"{spec.world}: {counted(episodes, 'held-out episode')} each, 95% intervals in brackets", box=SIMPLE
    )
    table.add_column("contender", no_wrap=True)
    profiles = [name for name, _ in contest.venue.world.evaluation.return_profiles]
    for heading in (*spec.headline, *(f"return {name}" for name in profiles), "decisions"):
        table.add_column(heading, justify="right", no_wrap=True)
    ranked = sorted(contest.results, key=lambda result: -_headline_mean(result, spec.headline[0]))
    for result in ranked:
        values = result.aggregate.values
        table.add_row(
            result.name,
            *(_headline(contest, result, key) for key in spec.headline),
            *(short_number(values[f"return_{name}_mean"]) for name in profiles),
            short_number(values["decisions_mean"]),
            style="bold green" if result.kind is ContenderKind.RUN else None,
        )
    return table


def _headline_mean(result: ContenderResult, key: str) -> float:
    return float(metric_column(result.records, key).mean())


def _headline(contest: Contest, result: ContenderResult, key: str) -> str:
    score = headline_score(contest.venue.spec, result.records, key)
    return f"{short_number(score.value)} [{short_number(score.low)} .. {short_number(score.high)}]"
