"""Looks for memory errors, undefined behavior and races in the native crates, with whatever is installed.

    python tools/sanitize.py --json reports/sanitize.json

Miri, AddressSanitizer and ThreadSanitizer need a nightly toolchain (`rustup toolchain install nightly`; Miri and exact
races also its components `miri` and `rust-src`), Valgrind looks at the tests that `make rust` has built anyway. What
cannot run is skipped with the reason. Threads come from rayon alone, and the atomics of our own (whether they stay
awake, `crates/kernel/src/pool.rs`) guard no memory: ThreadSanitizer sees their tests, and a model checker of
interleavings, which cannot look into rayon, would add nothing.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from diorama.engine.system_facts import system_facts
from diorama.storage.report_files import write_report

NIGHTLY: Final = "+nightly"
# All crates but the one that only Python can load.
CRATES: Final = (
    *("kernel", "learn", "policy", "morphospace"),
    *("prospector", "tidebreak", "townlet", "gameboy", "capi"),
)
THREADED: Final = ("kernel", "capi", "gameboy")
# Game Boys play for minutes in their tests, which Valgrind would turn into hours.
EMULATED: Final = tuple(name for name in CRATES if name != "gameboy")
# The interpreter takes minutes for what a processor does in milliseconds: tests of what all worlds stand on.
INTERPRETED: Final = ("snapshots", "words", "strict_heads", "poisoned_copies")
# A C compiler links these programs, and knows nothing of the sanitizer's library.
LINKED_BY_C: Final = (
    *("--skip", "a_c_program_plays_the_trace_that_the_runner_writes"),
    *("--skip", "the_program_in_the_readme_compiles_and_prints_known_answers"),
)
# Threads that have not ended with the program hold memory that is only possibly lost.
VALGRIND: Final = (
    *("valgrind", "--quiet", "--error-exitcode=99", "--num-callers=30"),
    *("--leak-check=full", "--show-leak-kinds=definite", "--errors-for-leak-kinds=definite"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """What came of one tool; `why` says what it looked at or found, or why it did not run."""

    tool: str
    outcome: str
    seconds: float
    why: str


def main() -> int:
    """Run what there is; fail if anything was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="where to write the report")
    parser.add_argument("--tool", action="append", choices=TOOLS, help="only this one; all if left out")
    parser.add_argument("--target-dir", type=Path, default=Path("target"), help="where things are built")
    options = parser.parse_args()
    checks = [_timed(name, TOOLS[name], options.target_dir) for name in options.tool or TOOLS]
    is_passed = all(check.outcome != "failed" for check in checks)
    if options.json is not None:
        write_report(
            options.json,
            {
                "generated_at": datetime.now(UTC).isoformat(timespec="seconds"),
                "summary": {"pass": is_passed},
                "checks": [asdict(check) for check in checks],
                "system": system_facts(),
            },
        )
    return 0 if is_passed else 1


class Missing(Exception):
    """A tool is not installed; the message says how to get it."""


class Found(Exception):
    """A tool found something; the message is the end of what it said."""


def _timed(name: str, check: Callable[[Path], str], target_dir: Path) -> Check:
    began = time.monotonic()
    try:
        outcome, why = "passed", check(target_dir)
    except Missing as error:
        outcome, why = "skipped", str(error)
    except Found as error:
        outcome, why = "failed", str(error)
    print(f"{name}: {outcome} ({why.splitlines()[-1] if why else ''})", flush=True)
    return Check(tool=name, outcome=outcome, seconds=round(time.monotonic() - began, 1), why=why[-4000:])


def _miri(target_dir: Path) -> str:
    version = _need(("cargo", NIGHTLY, "miri", "--version"), "rustup component add miri rust-src --toolchain nightly")
    # Files and clocks are no part of what is interpreted; proptest would look for a file of its own.
    extra = {"MIRIFLAGS": "-Zmiri-disable-isolation", "PROPTEST_CASES": "4"}
    for suite in INTERPRETED:
        command = ("cargo", NIGHTLY, "miri", "test", *_packages(["kernel"]), "--test", suite)
        _run(command, target_dir / "sanitize/miri", extra)
    return f"{version}: kernel, {', '.join(INTERPRETED)}"


def _address_sanitizer(target_dir: Path) -> str:
    version = _need(("rustc", NIGHTLY, "--version"), "rustup toolchain install nightly")
    # Leaks are for Valgrind to find, which needs no rights over other processes.
    extra = {"RUSTFLAGS": "-Zsanitizer=address", "ASAN_OPTIONS": "detect_leaks=0", "PROPTEST_CASES": "16"}
    command = ("cargo", NIGHTLY, *_tests(CRATES), "--target", _host(), "--no-fail-fast", "--", *LINKED_BY_C)
    _run(command, target_dir / "sanitize/address", extra)
    return f"{version}: tests of {', '.join(CRATES)}"


def _thread_sanitizer(target_dir: Path) -> str:
    version = _need(("rustc", NIGHTLY, "--version"), "rustup toolchain install nightly")
    if not (Path(_said(("rustc", NIGHTLY, "--print", "sysroot"))) / "lib/rustlib/src/rust/library").is_dir():
        raise Missing(
            "the standard library must be built with it too: rustup component add rust-src --toolchain nightly"
        )
    extra = {"RUSTFLAGS": "-Zsanitizer=thread", "PROPTEST_CASES": "16", "RUST_TEST_THREADS": "1"}
    command = ("cargo", NIGHTLY, *_tests(THREADED), "--target", _host(), "-Zbuild-std", "--", *LINKED_BY_C)
    _run(command, target_dir / "sanitize/thread", extra)
    return f"{version}: tests of {', '.join(THREADED)}"


def _valgrind(target_dir: Path) -> str:
    version = _need(("valgrind", "--version"), "install the package valgrind")
    runner = f"CARGO_TARGET_{_host().upper().replace('-', '_')}_RUNNER"
    extra = {runner: " ".join(VALGRIND), "PROPTEST_CASES": "2", "RUST_TEST_THREADS": "1"}
    _run(("cargo", *_tests(EMULATED), "--no-fail-fast"), target_dir, extra)
    return f"{version}: tests of {', '.join(EMULATED)}"


TOOLS: Final[Mapping[str, Callable[[Path], str]]] = {
    "miri": _miri,
    "address-sanitizer": _address_sanitizer,
    "thread-sanitizer": _thread_sanitizer,
    "valgrind": _valgrind,
}


def _tests(packages: Sequence[str]) -> tuple[str, ...]:
    return ("test", "--lib", "--tests", *_packages(packages))


def _packages(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(part for name in names for part in ("-p", f"diorama-{name}"))


def _host() -> str:
    [host] = re.findall(r"^host: (\S+)$", _need(("rustc", "-vV"), "https://rustup.rs brings it"), re.MULTILINE)
    return str(host)


def _need(command: Sequence[str], remedy: str) -> str:
    """Return the version that a tool tells; raise `Missing` where it is not installed."""
    try:
        return _said(command)
    except (FileNotFoundError, subprocess.CalledProcessError):
        raise Missing(f"{' '.join(command[:-1])} is not installed: {remedy}") from None


def _said(command: Sequence[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _run(command: Sequence[str], target_dir: Path, extra: Mapping[str, str]) -> None:
    """Run a command, with a folder to build in."""
    environment = {**os.environ, **extra, "CARGO_TARGET_DIR": str(target_dir), "CARGO_TERM_COLOR": "never"}
    done = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode:
        raise Found(f"{' '.join(command)}\n{done.stdout[-3500:]}")


if __name__ == "__main__":
    sys.exit(main())
