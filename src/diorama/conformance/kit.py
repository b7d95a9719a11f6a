"""Runs the checks on a world, one after another."""

import io
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Final

from diorama.conformance.checks.adapters import check_gymnasium, check_pettingzoo
from diorama.conformance.checks.autoreset import check_autoreset
from diorama.conformance.checks.batches import check_batches
from diorama.conformance.checks.bots import check_bots
from diorama.conformance.checks.configuration import check_configuration
from diorama.conformance.checks.contract import check_contract
from diorama.conformance.checks.episodes import check_episodes
from diorama.conformance.checks.files import check_files
from diorama.conformance.checks.hashes import check_hashes
from diorama.conformance.checks.masks import check_masks
from diorama.conformance.checks.parity import check_parity
from diorama.conformance.checks.pictures import check_pictures
from diorama.conformance.checks.plans import check_plans
from diorama.conformance.checks.presets import check_presets
from diorama.conformance.checks.processes import check_processes
from diorama.conformance.checks.refused_decisions import check_refused_decisions
from diorama.conformance.checks.refused_snapshots import check_refused_snapshots
from diorama.conformance.checks.replays import check_replays
from diorama.conformance.checks.seats import check_seats
from diorama.conformance.checks.seeds import check_seeds
from diorama.conformance.checks.simulation import check_simulation
from diorama.conformance.checks.snapshots import check_snapshots
from diorama.conformance.checks.start_states import check_start_states
from diorama.conformance.checks.values import check_values
from diorama.conformance.deadline import Overdue, deadline
from diorama.conformance.report import Outcome, Report, Verdict
from diorama.conformance.subject import Subject
from diorama.contracts.errors import DioramaError, MissingExtra

_SECONDS: Final = 300.0  # of one check; only what never returns takes so long
_SHOWN: Final = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One promise, and what tries it out."""

    name: str
    promise: str
    examine: Callable[[Subject, Report], None]


CHECKS: Final = (
    Check(name="contract", promise="the contract is whole and can be sent to clients", examine=check_contract),
    Check(name="configuration", promise="every key is explained and survives JSON", examine=check_configuration),
    Check(name="files", promise="keys that name files say so, for servers to refuse them", examine=check_files),
    Check(name="plans", promise="what the registration names exists", examine=check_plans),
    Check(name="simulation", promise="a copy does what the engine asks of it", examine=check_simulation),
    Check(name="seeds", promise="a seed decides everything, and other seeds differ", examine=check_seeds),
    Check(name="batches", promise="neither batch size nor threads change anything", examine=check_batches),
    Check(name="processes", promise="an episode is the same in another process", examine=check_processes),
    Check(name="state hash", promise="the hash covers all that can be seen", examine=check_hashes),
    Check(name="values", promise="all numbers are finite, in bounds and well-formed", examine=check_values),
    Check(name="masks", promise="something is always allowed, and what is allowed is taken", examine=check_masks),
    Check(name="refusals", promise="what is not allowed is refused as promised", examine=check_refused_decisions),
    Check(name="episodes", promise="episodes end", examine=check_episodes),
    Check(name="seats", promise="every seat is told its end, once", examine=check_seats),
    Check(name="auto-reset", promise="an ended copy opens the next episode at once", examine=check_autoreset),
    Check(name="snapshots", promise="a snapshot goes on exactly, in either tier", examine=check_snapshots),
    Check(name="bad snapshots", promise="broken bytes are refused and change nothing", examine=check_refused_snapshots),
    Check(name="start states", promise="an episode may begin in a stored state", examine=check_start_states),
    Check(name="parity", promise="both tiers agree in lockstep", examine=check_parity),
    Check(name="bots", promise="bots play by the rules, alike each time", examine=check_bots),
    Check(name="presets", promise="presets make runs that can be trained", examine=check_presets),
    Check(name="gymnasium", promise="Gymnasium's own checker is content", examine=check_gymnasium),
    Check(name="pettingzoo", promise="PettingZoo's own test is content", examine=check_pettingzoo),
    Check(name="pictures", promise="every moment can be shown", examine=check_pictures),
    Check(name="replays", promise="an episode can be recorded and comes out again", examine=check_replays),
)

_GROUNDWORK: Final = (check_contract, check_plans, check_simulation)  # whatever fails there fails everywhere


def run_checks(subject: Subject) -> Iterator[Outcome]:
    """Yield the outcome of every check, in order; nothing a world does wrong ends the examination.

    Raises:
        MissingExtra: The world needs a package that is not installed, so that nothing can be said about it.
    """
    for check in CHECKS:
        outcome = run_check(check, subject)
        yield outcome
        if outcome.is_final:
            return


def run_check(check: Check, subject: Subject) -> Outcome:
    """Run one check; whatever the world raises is a finding.

    Raises:
        MissingExtra: The world needs a package that is not installed here.
    """
    report, started, printed = Report(), time.perf_counter(), io.StringIO()
    try:
        with deadline(_SECONDS), redirect_stdout(printed):
            check.examine(subject, report)
    except MissingExtra:
        raise
    except Overdue as error:
        report.fail(_raised(subject, error), fix="let every call return: look for a loop that waits for its luck")
        report.stop()
    except (Exception, SystemExit) as error:  # the code under examination may fail in any way
        report.fail(_raised(subject, error), fix="the call must succeed here; see the line named above")
        report.is_final = check.examine in _GROUNDWORK
    if printed.getvalue():
        report.fail(
            f"the world prints: {printed.getvalue().splitlines()[0][:_SHOWN]!r}",
            fix="leave the standard output to whoever runs the world: commands write results there",
        )
    verdict = Verdict.FAIL if report.findings else Verdict.SKIP if report.skipped else Verdict.PASS
    notes = (report.skipped, *report.notes) if report.skipped else tuple(report.notes)
    return Outcome(
        name=check.name,
        promise=check.promise,
        verdict=verdict,
        findings=tuple(report.findings),
        notes=notes,
        seconds=time.perf_counter() - started,
        is_final=report.is_final,
    )


def _raised(subject: Subject, error: BaseException) -> str:
    frames = [(frame, line) for frame, line in traceback.walk_tb(error.__traceback__) if not _is_alarm(frame)]
    module = subject.world.config_type.__module__
    package = module.rpartition(".")[0] or module
    own = [(frame, line) for frame, line in frames if _belongs(frame.f_globals.get("__name__", ""), package)]
    frame, line = (own or frames)[-1]
    where = f"{Path(frame.f_code.co_filename).name}:{line} in {frame.f_code.co_name}"
    kind = "" if isinstance(error, DioramaError | Overdue) else f"{type(error).__name__}: "
    return f"{kind}{' '.join(str(error).split()) or 'an error without words'} (at {where})"


def _is_alarm(frame: FrameType) -> bool:
    return frame.f_globals.get("__name__") == deadline.__module__


def _belongs(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")
