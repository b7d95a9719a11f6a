"""`diorama parity`: compares the two tiers of a world."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from diorama.cli.completion import complete_suite
from diorama.cli.counting import counted
from diorama.cli.options import ReportOption, WorldArgument
from diorama.contracts.errors import ConfigError

if TYPE_CHECKING:
    from diorama.contracts.config import WorldConfig
    from diorama.contracts.world import World
    from diorama.parity.matrix import CaseResult

_MISMATCH = 1


def parity(
    world: WorldArgument,
    quick: Annotated[bool, typer.Option("--quick", help="The minimum gate; the default.")] = False,
    full: Annotated[bool, typer.Option("--full", help="The whole matrix of the world's plan.")] = False,
    suite: Annotated[
        list[str] | None,
        typer.Option(help="Only this suite. Repeatable.", autocompletion=complete_suite, show_default=False),
    ] = None,
    seeds: Annotated[int | None, typer.Option(min=1, help="Number of seeds.", show_default="as planned")] = None,
    seed_start: Annotated[int, typer.Option(help="The first seed.")] = 0,
    steps: Annotated[int | None, typer.Option(min=1, help="Decisions per case.", show_default="as planned")] = None,
    time_max: Annotated[
        list[float] | None,
        typer.Option(help="Tick budget instead of the planned ones. Repeatable.", show_default=False),
    ] = None,
    profile: Annotated[
        Literal["exact", "tolerant"] | None,
        typer.Option(help="How nearly the tiers must agree.", show_default="as the world declares"),
    ] = None,
    bundle_dir: Annotated[Path, typer.Option(file_okay=False, help="Where mismatch bundles go.")] = Path("mismatch"),
    json: ReportOption = None,
    allow_mismatch: Annotated[bool, typer.Option("--allow-mismatch", help="Exit 0 even if they differ.")] = False,
    stop_on_first: Annotated[bool, typer.Option("--stop-on-first", help="Stop at the first failing case.")] = False,
    jobs: Annotated[int | None, typer.Option(min=1, help="Processes.", show_default="all cores")] = None,
    replay: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Play a mismatch bundle again, and nothing else.", show_default=False),
    ] = None,
) -> None:
    """Step both tiers of a world side by side and compare everything they show.

    Exits 0 when all cases agree, 1 on a mismatch (its evidence is left in a bundle), 2 on bad input.
    """
    from diorama.engine.system_facts import usable_cores
    from diorama.parity.cases import Selection, plan_cases, time_columns
    from diorama.parity.matrix import check_cases
    from diorama.parity.profiles import Profile, declared_profile
    from diorama.parity.report import build_report
    from diorama.storage.report_files import write_report
    from diorama.worlds.registry import load_world

    registered = load_world(world)
    if quick and full:
        raise ConfigError("--quick and --full were both given; choose one")
    if replay is not None:
        raise typer.Exit(_replay(registered, replay))
    selection = Selection(
        is_full=full,
        suites=tuple(suite) if suite else None,
        seeds=seeds,
        seed_start=seed_start,
        steps=steps,
        columns=time_columns(registered, time_max) if time_max else None,
    )
    cases = plan_cases(registered, selection)
    judged_by = declared_profile(registered) if profile is None else Profile(profile)
    running = check_cases(registered, cases, profile=judged_by, bundle_root=bundle_dir, jobs=jobs or usable_cores())
    with closing(running):
        results = _collect(running, f"parity {world}", len(cases), stop_on_first)
    typer.echo(_summary_line(results, len(cases)))
    if json is not None:
        write_report(json, build_report(registered, cases, results, profile=judged_by))
    if not allow_mismatch and any(result.mismatch is not None for result in results):
        raise typer.Exit(_MISMATCH)


def _collect(running: "Iterator[CaseResult]", title: str, total: int, stop_on_first: bool) -> "list[CaseResult]":
    from diorama.cli.progress import progress_bar

    results: list[CaseResult] = []
    with progress_bar(title, total) as advance:
        for result in running:
            results.append(result)
            typer.echo(_case_line(result))
            advance()
            if stop_on_first and result.mismatch is not None:
                break
    return results


def _case_line(result: "CaseResult") -> str:
    case = result.case
    verdict = "PASS" if result.mismatch is None else "FAIL"
    line = (
        f"{verdict}  suite {case.suite}  seed {case.seed:<4}  {case.column.label}  "
        f"{result.steps:>6} steps  {result.episodes:>4} episodes  {result.seconds:6.1f} s"
    )
    return line if result.mismatch is None else f"{line}\n      {result.mismatch}\n      see {result.bundle}"


def _summary_line(results: "Sequence[CaseResult]", planned: int) -> str:
    failed = sum(result.mismatch is not None for result in results)
    compared = sum(result.steps for result in results)
    skipped = f", {planned - len(results)} not run" if len(results) < planned else ""
    verdict = "all agree" if not failed else f"{failed} differ"
    return f"{counted(len(results), 'case')}, {counted(compared, 'step')} compared: {verdict}{skipped}"


def _replay(world: "World[WorldConfig]", directory: Path) -> int:
    from diorama.parity.matrix import replay_bundle

    replayed = replay_bundle(world, directory)
    mismatch = replayed.result.mismatch
    if mismatch is None:
        typer.echo(
            f"the tiers agree now over {replayed.result.steps} steps; they differed at step {replayed.recorded_step}"
        )
        return 0
    typer.echo(f"the tiers still differ: {mismatch}")
    return _MISMATCH
