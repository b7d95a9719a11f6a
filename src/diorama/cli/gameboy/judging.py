"""Judges test ROMs and vectors for the command line."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import typer
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Table
from rich.text import Text

from diorama.cli.progress import progress_bar
from diorama.contracts.errors import ConfigError
from diorama.engine.system_facts import system_facts
from diorama.storage.report_files import write_report
from diorama.worlds.gameboy.harness.accuracy.judging import Judged, Outcome, find_test_roms, judge
from diorama.worlds.gameboy.harness.vectors import EXCEPTIONS, check_vector, draw_vectors, read_vectors

NOT_ALL_PASSED: Final = 1
_COLORS: Final = {Outcome.PASS: "green", Outcome.SKIP: "dim", Outcome.FAIL: "red", Outcome.HANG: "red"}
_BAD: Final = (Outcome.FAIL, Outcome.HANG, Outcome.TRAP)
_SHOWN_FAILURES: Final = 20


def judge_folder(folder: Path | None, *, frames: int, backend: str, json: Path | None) -> int:
    """Run every ROM below a folder, print the table, and return the exit code.

    Raises:
        ConfigError: If there is no folder, or no ROM in it.
    """
    if folder is None:
        raise ConfigError("give a folder of test ROMs, or set DIORAMA_GB_ACCURACY_DIR; this project ships none")
    roms = find_test_roms(folder)
    judged = []
    with progress_bar("accuracy", len(roms)) as advance:
        for rom in roms:
            judged.append(judge(rom, backend=backend, frames=frames))
            advance()
    _print_table(judged)
    counts = Counter(row.outcome for row in judged)
    summary = ", ".join(f"{counts[outcome]} {outcome}" for outcome in Outcome if counts[outcome])
    typer.echo(f"{len(judged)} test ROMs: {summary}")
    if json is not None:
        write_report(
            json,
            {
                "schema_version": 1,
                "folder": folder.name,
                "backend": backend,
                "frames": frames,
                "counts": {str(outcome): counts[outcome] for outcome in Outcome},
                "gates": _gates(judged),
                "results": [row.to_json() for row in judged],
                "system": system_facts(),
            },
        )
    return NOT_ALL_PASSED if any(row.outcome in _BAD for row in judged) else 0


def _gates(judged: Sequence[Judged]) -> dict[str, dict[str, int]]:
    gates: dict[str, Counter[str]] = {}
    for row in judged:
        gates.setdefault(row.gate, Counter())[str(row.outcome)] += 1
    return {gate: dict(counts) for gate, counts in sorted(gates.items())}


def _print_table(judged: Sequence[Judged]) -> None:
    table = Table("gate", "test ROM", "outcome", "read from", "frames", "says", box=SIMPLE)
    for row in judged:
        color = _COLORS.get(row.outcome, "red")
        words = Text(row.words, overflow="ellipsis", no_wrap=True)
        table.add_row(row.gate, row.name, Text(row.outcome, color), row.by, f"{row.frames:,}", words)
    Console().print(table)


def judge_vectors(source: Path, *, per_opcode: int | None, seed: int, json: Path | None) -> int:
    """Execute vectors, print what went wrong, and return the exit code.

    Raises:
        ConfigError: If there is nothing to read.
        DocumentError: If a file holds no vectors.
    """
    vectors = draw_vectors(read_vectors(source), per_opcode=per_opcode, seed=seed)
    wrong, run = [], 0
    with progress_bar("sm83", len(vectors)) as advance:
        for opcode, cases in vectors.items():
            for vector in cases if opcode not in EXCEPTIONS.not_run else ():
                run += 1
                problem = check_vector(opcode, vector)
                wrong += [] if problem is None else [(vector["name"], problem)]
            advance()
    for name, problem in wrong[:_SHOWN_FAILURES]:
        typer.echo(f"FAIL  {name}: {problem}")
    if len(wrong) > _SHOWN_FAILURES:
        typer.echo(f"and {len(wrong) - _SHOWN_FAILURES} more")
    not_run = sorted(set(vectors) & EXCEPTIONS.not_run)
    told = f", opcode {', '.join(not_run)} not run" if not_run else ""
    typer.echo(f"{run - len(wrong):,} of {run:,} vectors of {len(vectors)} opcodes pass{told}")
    if json is not None:
        write_report(
            json,
            {
                "schema_version": 1,
                "source": source.name,
                "per_opcode": per_opcode,
                "seed": seed,
                "opcodes": len(vectors),
                "vectors": run,
                "not_run": not_run,
                "failures": [{"name": name, "problem": problem} for name, problem in wrong],
                "system": system_facts(),
            },
        )
    return NOT_ALL_PASSED if wrong else 0
