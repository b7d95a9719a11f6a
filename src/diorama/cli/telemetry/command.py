"""`diorama telemetry`: validates, watches and summarizes the PPO telemetry of a run, and sends reports."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from diorama.cli.counting import counted
from diorama.cli.groups import command_group, examples
from diorama.cli.options import RunRootOption
from diorama.contracts.errors import ConfigError

if TYPE_CHECKING:
    from diorama.telemetry.ppo.validation import LogReport
    from diorama.telemetry.ppo.watch import Side, Threshold

INVALID: Final = 1

telemetry_app = command_group()


@telemetry_app.callback(
    epilog=examples(
        "diorama telemetry validate runs/my-run",
        "diorama telemetry watch runs/my-run --kl-max 0.05",
        "diorama telemetry summary runs/my-run --format markdown",
    )
)
def telemetry() -> None:
    """Validate, watch and summarize the PPO telemetry of a run, and send reports of benchmarks."""


LogArgument = Annotated[
    Path, typer.Argument(metavar="LOG", help="A PPO log (rotated files follow by themselves) or a run directory.")
]


@telemetry_app.command(
    epilog=examples(
        "diorama telemetry validate runs/my-run",
        "diorama telemetry validate new/ppo.ndjson --baseline old/ppo.ndjson --drift-threshold 0.2 --relative",
    )
)
def validate(
    logs: Annotated[
        list[Path],
        typer.Argument(metavar="LOG...", help="PPO logs (rotated files follow by themselves) or run directories."),
    ],
    baseline: Annotated[
        Path | None, typer.Option(metavar="LOG", help="Compare record by record with this log.", show_default=False)
    ] = None,
    drift_threshold: Annotated[
        float | None,
        typer.Option(min=0.0, help="With --baseline: fail beyond this difference.", show_default="only show it"),
    ] = None,
    relative: Annotated[
        bool, typer.Option("--relative", help="With --baseline: differences as shares of the baseline's values.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Unknown fields are errors.")] = False,
) -> None:
    """Check PPO logs against the format, and against a baseline.

    Exits 0 when all are valid, 1 when one is not or drifts too far, 2 on bad input.
    """
    from diorama.cli.telemetry.tables import finding_lines, verdict_line
    from diorama.telemetry.ppo.log_files import distinct_logs, find_log
    from diorama.telemetry.ppo.validation import validate_log

    if baseline is None and (drift_threshold is not None or relative):
        raise ConfigError("--drift-threshold and --relative compare with a baseline; name it with --baseline")
    expected = None if baseline is None else validate_log(find_log(baseline))
    reports = [validate_log(base, is_strict=strict) for base in distinct_logs(logs)]
    for report in (*reports, *([] if expected is None else [expected])):
        for line in (*finding_lines(report.findings), verdict_line(report)):
            typer.echo(line)
    is_good = all(report.is_valid for report in reports)
    if expected is not None:
        drifts_ok = [_compare(report, expected, drift_threshold, is_relative=relative) for report in reports]
        is_good = is_good and expected.is_valid and all(drifts_ok)
    if not is_good:
        raise typer.Exit(INVALID)


def _compare(report: "LogReport", expected: "LogReport", threshold: float | None, *, is_relative: bool) -> bool:
    from diorama.cli.result_console import result_console
    from diorama.cli.telemetry.tables import drift_table
    from diorama.telemetry.ppo.drift import measure_drift

    if not report.is_valid or not expected.is_valid:
        return False
    drifts = measure_drift(report.records, expected.records, is_relative=is_relative)
    result_console().print(drift_table(report.base.name, drifts, is_relative=is_relative, threshold=threshold))
    if len(report.records) != len(expected.records):
        compared = min(len(report.records), len(expected.records))
        typer.echo(
            f"warning: only the first {compared} records of {report.base} were compared; the logs differ in length"
        )
    return threshold is None or all(abs(drift.worst) <= threshold for drift in drifts)


@telemetry_app.command(
    epilog=examples(
        "diorama telemetry watch runs/my-run --kl-max 0.05 --entropy-min 0.1",
        "diorama telemetry watch runs/my-run --once --max clip_fraction=0.3 --min chat_quality_mean=0.2",
    )
)
def watch(
    log: LogArgument,
    kl_max: Annotated[float | None, typer.Option(help="Bound on kl_divergence.", show_default=False)] = None,
    grad_max: Annotated[float | None, typer.Option(help="Bound on grad_norm.", show_default=False)] = None,
    entropy_min: Annotated[float | None, typer.Option(help="Bound on loss_entropy.", show_default=False)] = None,
    reward_corr_min: Annotated[
        float | None, typer.Option(help="Bound on reward_advantage_corr.", show_default=False)
    ] = None,
    queue_events_min: Annotated[
        float | None, typer.Option(help="Bound on queue_conflict_events.", show_default=False)
    ] = None,
    late_help_min: Annotated[float | None, typer.Option(help="Bound on late_help_events.", show_default=False)] = None,
    anneal_accuracy_min: Annotated[
        float | None, typer.Option(help="Bound on anneal_bc_accuracy.", show_default=False)
    ] = None,
    maxima: Annotated[
        list[str] | None,
        typer.Option("--max", metavar="FIELD=VALUE", help="Upper bound on any field. Repeatable.", show_default=False),
    ] = None,
    minima: Annotated[
        list[str] | None,
        typer.Option("--min", metavar="FIELD=VALUE", help="Lower bound on any field. Repeatable.", show_default=False),
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Judge what is there and end.")] = False,
    interval: Annotated[float, typer.Option(min=0.01, help="Seconds between two looks.")] = 1.0,
    idle_timeout: Annotated[
        float | None,
        typer.Option(min=0.0, help="End after so many seconds without a new record.", show_default="never"),
    ] = None,
) -> None:
    """Follow a PPO log and end as soon as a record is invalid or leaves its bounds.

    Exits 0 when all is well, 1 on a breach (a bound on a field that no record has is one), 2 on bad input.
    """
    from diorama.cli.telemetry.tables import watch_heading, watch_line
    from diorama.telemetry.ppo.log_files import find_log
    from diorama.telemetry.ppo.watch import LogTail, Side, Threshold, Watch, follow

    named = [
        ("kl_divergence", Side.AT_MOST, kl_max),
        ("grad_norm", Side.AT_MOST, grad_max),
        ("loss_entropy", Side.AT_LEAST, entropy_min),
        ("reward_advantage_corr", Side.AT_LEAST, reward_corr_min),
        ("queue_conflict_events", Side.AT_LEAST, queue_events_min),
        ("late_help_events", Side.AT_LEAST, late_help_min),
        ("anneal_bc_accuracy", Side.AT_LEAST, anneal_accuracy_min),
    ]
    watching = Watch(
        [
            *(Threshold(field, side, bound) for field, side, bound in named if bound is not None),
            *(_threshold("--max", text, Side.AT_MOST) for text in maxima or []),
            *(_threshold("--min", text, Side.AT_LEAST) for text in minima or []),
        ]
    )
    tail = LogTail(find_log(log))
    typer.echo(watch_heading())
    for line in follow(tail, interval_s=interval, patience_s=0.0 if once else idle_timeout):
        record, problems = watching.judge(line)
        if record is not None:
            typer.echo(watch_line(record))
        for problem in problems:
            typer.echo(f"breach: {line.place}: {problem}")
        if problems:
            raise typer.Exit(INVALID)
    for field in watching.never_seen():
        typer.echo(f"breach: no record has {field}, so its bound was never tested")
    if watching.never_seen():
        raise typer.Exit(INVALID)


def _threshold(option: str, text: str, side: "Side") -> "Threshold":
    from diorama.telemetry.ppo.watch import Threshold

    field, _, bound = text.partition("=")
    try:
        return Threshold(field.strip(), side, float(bound))
    except ValueError:
        raise ConfigError(f"{option} {text!r} is not of the form FIELD=VALUE, such as clip_fraction=0.3") from None


@telemetry_app.command(
    epilog=examples(
        "diorama telemetry summary runs/my-run",
        "diorama telemetry summary runs/my-run --format json",
    )
)
def summary(
    log: LogArgument,
    form: Annotated[Literal["text", "json", "markdown"], typer.Option("--format", help="How to print it.")] = "text",
) -> None:
    """Show how every number of a PPO log went: first, last, lowest, highest, mean.

    Exits 1 when the log is invalid, 2 on bad input.
    """
    import msgspec

    from diorama.cli.result_console import result_console
    from diorama.cli.telemetry.tables import finding_lines, summary_heading, summary_markdown, summary_table
    from diorama.telemetry.ppo.log_files import find_log
    from diorama.telemetry.ppo.summary import summarize
    from diorama.telemetry.ppo.validation import validate_log

    report = validate_log(find_log(log))
    if not report.is_valid:
        for line in finding_lines(report.errors):
            typer.echo(line, err=True)
        raise typer.Exit(INVALID)
    found = summarize(report.records)
    if form == "json":
        typer.echo(msgspec.json.format(msgspec.json.encode(found.to_json()), indent=2).decode())
    elif form == "markdown":
        typer.echo(summary_markdown(found))
    else:
        typer.echo(summary_heading(found))
        result_console().print(summary_table(found))


@telemetry_app.command(
    epilog=examples(
        "diorama telemetry upload reports/training.json --run my-run",
        "diorama telemetry upload reports/replay_api.json --run my-run --mode online --project diorama",
    )
)
def upload(
    report: Annotated[Path, typer.Argument(metavar="REPORT", help="The JSON report of a benchmark.")],
    run_id: Annotated[str, typer.Option("--run", metavar="RUN", help="The run it belongs to.")],
    run_root: RunRootOption = Path("runs"),
    mode: Annotated[
        Literal["offline", "online"],
        typer.Option(help="Keep it in files that 'wandb sync' sends later, or send it now."),
    ] = "offline",
    project: Annotated[str, typer.Option(help="Project of Weights & Biases.")] = "diorama",
    entity: Annotated[str | None, typer.Option(help="User or team.", show_default="the account's")] = None,
) -> None:
    """Send the report of a benchmark, with the run's checkpoints, to Weights & Biases.

    Benchmarks themselves never call anybody, so that they can be repeated anywhere.
    """
    from diorama.runs.checkpoints.files import checkpoint_paths
    from diorama.runs.run import open_run
    from diorama.telemetry.wandb_benchmark import upload_benchmark
    from diorama.telemetry.wandb_sink import WandbMode, WandbSettings

    layout = open_run(run_root, run_id).layout
    settings = WandbSettings(
        mode=WandbMode.OFFLINE if mode == "offline" else WandbMode.ONLINE,
        run_directory=layout.directory,
        project=project,
        entity=entity,
    )
    count = upload_benchmark(report, run_id, checkpoint_paths(layout), settings)
    typer.echo(
        f"benchmark-{run_id}: {counted(count, 'metric')}, {'kept for wandb sync' if mode == 'offline' else 'sent'}"
    )
