"""`diorama smoke`: asks a deployed server and client everything once and says what does not answer."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Final

import typer

from diorama.cli.options import ReportOption
from diorama.contracts.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from diorama.cli.smoke.checks import Check
    from diorama.contracts.values import JsonObject

_FAILED: Final = 1


def smoke(
    backend: Annotated[str, typer.Option(metavar="URL", help="Where the server is.")] = "http://127.0.0.1:8000",
    client: Annotated[
        str | None, typer.Option(metavar="URL", help="Where the web client is.", show_default="the server")
    ] = None,
    allow_empty_runs: Annotated[
        bool, typer.Option("--allow-empty-runs", help="A server without runs or replays passes.")
    ] = False,
    skip_wandb: Annotated[bool, typer.Option("--skip-wandb", help="Leave the tracker out.")] = False,
    require_clean_wandb_status: Annotated[
        bool,
        typer.Option("--require-clean-wandb-status", help="The tracker must be available and have nothing to note."),
    ] = False,
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds to wait for each answer.")] = 10.0,
    json: ReportOption = None,
) -> int:
    """Check a deployment from the outside: server, catalogue, CORS, replays, streams, pages and tracker.

    Exits with 1 if anything fails, with 2 if an address makes no sense.
    """
    from diorama.cli.server_address import parse_base
    from diorama.cli.smoke.checks import SmokePlan, run_checks
    from diorama.storage.report_files import write_report

    if skip_wandb and require_clean_wandb_status:
        raise ConfigError("--require-clean-wandb-status and --skip-wandb exclude one another; leave one out")
    server = parse_base("--backend", backend)
    plan = SmokePlan(
        backend=server,
        client=server if client is None else parse_base("--client", client),
        timeout_seconds=timeout,
        allows_empty_runs=allow_empty_runs,
        asks_tracker=not skip_wandb,
        requires_clean_tracker=require_clean_wandb_status,
    )
    checks: list[Check] = []
    for check in run_checks(plan):
        checks.append(check)
        typer.echo(f"{'ok  ' if check.ok else 'FAIL'}  {check.elapsed_ms:>8.1f} ms  {check.name}: {check.detail}")
    failed = [check.name for check in checks if not check.ok]
    typer.echo(f"{len(checks) - len(failed)} of {len(checks)} checks pass")
    if json is not None:
        write_report(json, _report(plan.to_json(), checks, failed))
    return _FAILED if failed else 0


def _report(config: JsonObject, checks: Sequence[Check], failed: Sequence[str]) -> JsonObject:
    from diorama.engine.system_facts import system_facts

    now = datetime.now(UTC)
    return {
        "generated_at": now.isoformat(timespec="seconds"),
        "run_id": f"smoke-{now.strftime('%Y%m%dT%H%M%SZ')}",
        "config": config,
        "summary": {"pass": not failed, "checks": len(checks), "failed": list(failed)},
        "checks": [check.to_json() for check in checks],
        "system": system_facts(),
        "artifacts": [],
    }
