"""What `diorama eval` prints: the score of every contender, and the verdict of the protocol."""

from rich.box import SIMPLE
from rich.table import Table

from diorama.contracts.spec import Aggregate, WorldSpec
from diorama.learn.evaluation.contest import ContenderResult, Contest
from diorama.learn.evaluation.protocol import Judgement
from diorama.learn.evaluation.summary import metric_column, standard_error


def score_table(contest: Contest) -> Table:
    """Return one line per contender."""
    spec = contest.venue.spec
    profiles = [name for name, _ in contest.venue.world.evaluation.return_profiles]
    table = Table(title=f"{spec.world}, {contest.tier_selected.value} tier", box=SIMPLE)
    table.add_column("contender", no_wrap=True)
    for heading in ("episodes", *spec.headline, *(f"return {name}" for name in profiles), "decisions", "ticks"):
        table.add_column(heading, justify="right")
    for result in contest.results:
        values = result.aggregate.values
        table.add_row(
            result.name,
            str(result.aggregate.episodes),
            *(_headline(spec, result, key) for key in spec.headline),
            *(short_number(values[f"return_{name}_mean"]) for name in profiles),
            short_number(values["decisions_mean"]),
            short_number(values["ticks_mean"]),
        )
    return table


def expectation_table(judgement: Judgement) -> Table:
    """Return one line per demand on the judged contender."""
    table = Table(title=f"What is expected of {judgement.reference}", box=SIMPLE)
    for heading in ("expectation", "value", "baseline", "met"):
        table.add_column(heading, justify="left" if heading == "expectation" else "right")
    for outcome in judgement.expectations:
        table.add_row(
            outcome.expectation.title,
            short_number(outcome.value),
            short_number(outcome.baseline_value),
            "[green]yes[/]" if outcome.is_met else "[red]no[/]",
        )
    return table


def _headline(spec: WorldSpec, result: ContenderResult, key: str) -> str:
    metric = spec.metrics[spec.metric_keys.index(key)]
    values = metric_column(result.records, key)
    if metric.aggregate is Aggregate.EPISODE_FINAL_RATE:
        return f"{(values >= 0.5).mean():.2f}"
    return f"{short_number(float(values.mean()))} ± {short_number(standard_error(values))}"


def short_number(value: float) -> str:
    """Write a number in a table: whole where it is large, else to three digits."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
