"""`diorama eval`: lets scripted baselines, or the policy of a run beside them, play and says how well they do."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from diorama.cli.completion import complete_bot, complete_world_or_run
from diorama.cli.destinations import checked_destination
from diorama.cli.options import CheckpointOption, ConfigOption, RunRootOption, TierOption
from diorama.cli.ray_option import RayHallOption
from diorama.contracts.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from diorama.cli.evaluation.field import Field
    from diorama.cli.evaluation.progress import EvaluationBar
    from diorama.contracts.values import JsonObject
    from diorama.learn.evaluation.contest import Contest
    from diorama.learn.evaluation.episodes import SubmitEpisodes
    from diorama.learn.evaluation.protocol import Judgement

_DEFAULT_BASE_SEED = 7
_FAILED = 1


def evaluate(
    world: Annotated[
        str,
        typer.Argument(
            metavar="WORLD|RUN",
            help="World id, or the id of a run, or champion/WORLD, whose policy plays beside the baselines.",
            autocompletion=complete_world_or_run,
        ),
    ],
    bot: Annotated[
        list[str] | None,
        typer.Option(
            help="Baseline to play; 'all' for every one. Repeatable.",
            autocompletion=complete_bot,
            show_default="all, for a run",
        ),
    ] = None,
    episodes: Annotated[
        int | None,
        typer.Option(min=1, help="Episodes per bot; with --protocol, per matrix seed.", show_default="as planned"),
    ] = None,
    base_seed: Annotated[
        int | None, typer.Option(help="Seed of the first episode; the others count up from it.", show_default="7")
    ] = None,
    protocol: Annotated[
        bool, typer.Option("--protocol", help="Run the world's evaluation protocol, with every baseline it names.")
    ] = False,
    suite: Annotated[
        bool,
        typer.Option(
            "--suite",
            help="With a run: meet every script (or those of --bot) in the world's frozen scenes, from every side.",
        ),
    ] = False,
    reference: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="With --protocol: who is judged.", show_default="the last one named"),
    ] = None,
    enforce_protocol_expectations: Annotated[
        bool,
        typer.Option("--enforce-protocol-expectations", help="With --protocol: exit 1 if an expectation is not met."),
    ] = False,
    deterministic: Annotated[
        bool | None,
        typer.Option(
            "--deterministic/--stochastic",
            help="With a run: take the likeliest option, or draw one.",
            show_default="as the run was set to",
        ),
    ] = None,
    checkpoint: CheckpointOption = None,
    run_root: RunRootOption = Path("runs"),
    config: ConfigOption = None,
    tier: TierOption = "auto",
    max_steps: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Decisions after which an episode is cut off, which fails the report.",
            show_default="as planned",
        ),
    ] = None,
    ray: RayHallOption = None,
    json: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            dir_okay=False,
            help="Write the full report, episode by episode; the file must not exist yet.",
            show_default=False,
            callback=checked_destination,
        ),
    ] = None,
) -> None:
    """Let scripted baselines, or the policy of a run beside them, play and say how well they do.

    Everyone plays the same episodes, so the lines of the table can be compared. Exits 0 when the report passes,
    1 when it fails (the guard cut off an episode, or an enforced expectation is not met), 2 on bad input.
    """
    from rich.console import Console

    from diorama.cli.evaluation.field import ALL_BOTS, FieldRequest, gather_field
    from diorama.cli.evaluation.hall import hall
    from diorama.cli.evaluation.progress import EvaluationBar
    from diorama.learn.evaluation.protocol import run_protocol
    from diorama.learn.evaluation.report import check_new_file, passes
    from diorama.worlds.registry import world_ids

    _check_options(
        protocol=protocol,
        base_seed=base_seed,
        config=config,
        reference=reference,
        enforce_protocol_expectations=enforce_protocol_expectations,
        is_suite=suite,
    )
    if suite and world in world_ids():
        raise ConfigError(f"--suite goes with a run: name one that learned {world}")
    if json is not None:
        check_new_file(json)
    field = gather_field(
        FieldRequest(
            target=world,
            bots=() if suite else bot or (),
            config=config,
            tier=tier,
            run_root=run_root,
            is_deterministic=deterministic,
            checkpoint=checkpoint,
            in_default_config=protocol,
        )
    )
    if suite:
        scripts = [name for name in bot or () if name != ALL_BOTS]
        with hall(ray) as submit:
            _show_suite(field, scripts, episodes=episodes, path=json, submit=submit)
        return
    judgement = None
    with hall(ray) as submit, EvaluationBar(Console(stderr=True)) as bar:
        if protocol:
            judgement = run_protocol(
                field.venue,
                field.contenders,
                progress=bar,
                reference=reference,
                episodes=episodes,
                max_decisions=max_steps,
                submit=submit,
            )
            contest = judgement.contest
        else:
            contest = _hold(field, base_seed, episodes=episodes, max_steps=max_steps, bar=bar, submit=submit)
    _publish(
        contest,
        judgement,
        is_enforced=enforce_protocol_expectations,
        path=json,
        training_runs=field.training_runs,
    )
    if not passes(contest, judgement, enforce_expectations=enforce_protocol_expectations):
        raise typer.Exit(_FAILED)


def _show_suite(
    field: "Field", scripts: "Sequence[str]", *, episodes: int | None, path: Path | None, submit: "SubmitEpisodes"
) -> None:
    from diorama.cli.evaluation.suite import show_suite

    if not field.training_runs:
        raise ConfigError("--suite goes with a run; name one instead of a world")
    show_suite(field.venue, field.contenders[0], scripts, episodes=episodes, path=path, submit=submit)


def _hold(
    field: "Field",
    base_seed: int | None,
    *,
    episodes: int | None,
    max_steps: int | None,
    bar: "EvaluationBar",
    submit: "SubmitEpisodes",
) -> "Contest":
    """Let everyone play episodes of consecutive seeds; the world's protocol says how many, and how long at most."""
    from diorama.learn.evaluation.contest import consecutive_seeds, run_contest

    plan = field.venue.world.evaluation
    first = _DEFAULT_BASE_SEED if base_seed is None else base_seed
    return run_contest(
        field.venue,
        field.contenders,
        [consecutive_seeds(first, plan.episodes if episodes is None else episodes)],
        max_decisions=plan.max_decisions if max_steps is None else max_steps,
        progress=bar,
        submit=submit,
    )


def _publish(
    contest: "Contest",
    judgement: "Judgement | None",
    *,
    is_enforced: bool,
    path: Path | None,
    training_runs: "Sequence[JsonObject]",
) -> None:
    from datetime import UTC, datetime

    from diorama.cli.evaluation.standings import standings_table
    from diorama.cli.evaluation.tables import expectation_table, score_table
    from diorama.cli.result_console import result_console
    from diorama.learn.evaluation.report import build_report, save_report

    console = result_console()
    console.print(standings_table(contest) if training_runs else score_table(contest))
    if judgement is not None:
        console.print(expectation_table(judgement))
    if contest.guard_truncated:
        console.print(f"{contest.guard_truncated} episodes were cut off after {contest.max_decisions} decisions")
    if path is not None:
        report = build_report(
            contest,
            judgement,
            generated_at=datetime.now(UTC),
            enforce_expectations=is_enforced,
            training_runs=training_runs,
        )
        save_report(path, report)
        console.print(f"report: {path}")


def _check_options(
    *,
    protocol: bool,
    base_seed: int | None,
    config: list[str] | None,
    reference: str | None,
    enforce_protocol_expectations: bool,
    is_suite: bool,
) -> None:
    if is_suite and (protocol or base_seed is not None):
        raise ConfigError("--suite does not go with --protocol or --base-seed: it has scenes and seeds of its own")
    if protocol and base_seed is not None:
        raise ConfigError("--base-seed does not go with --protocol: the protocol has seeds of its own")
    if protocol and config:
        raise ConfigError("--config does not go with --protocol: it is played in the default configuration")
    if not protocol and (reference is not None or enforce_protocol_expectations):
        raise ConfigError("--reference and --enforce-protocol-expectations need --protocol")
