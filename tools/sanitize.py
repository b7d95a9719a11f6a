"""Looks for memory errors, undefined behaviour and races in the native crates, with whatever is installed.

    python tools/sanitize.py --json reports/sanitize.json

Miri, AddressSanitizer and ThreadSanitizer need a nightly toolchain (`rustup toolchain install nightly`; Miri and exact
races also its components `miri` and `rust-src`); without Miri, Valgrind looks at the same tests. What cannot run is
skipped with the reason. Threads come from rayon alone and no crate has an atomic of its own, so there is nothing for a
model checker of interleavings to explore.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

NIGHTLY: Final = "+nightly"
TARGET: Final = "x86_64-unknown-linux-gnu"
SIMULATIONS: Final = ("kernel", "prospector", "morphospace", "townlet", "gameboy", "learn", "policy", "capi")
THREADED: Final = ("kernel", "capi", "gameboy")
# The interpreter takes minutes for what a processor does in milliseconds: the crate that all worlds stand on.
INTERPRETED: Final = tuple(
    ("kernel", "--test", name) for name in ("snapshots", "words", "strict_heads", "poisoned_copies")
)
# A C compiler links these programs, and knows nothing of the sanitizer's library.
LINKED_BY_C: Final = (
    *("--skip", "a_c_program_plays_the_trace_that_the_runner_writes"),
    *("--skip", "the_program_in_the_readme_compiles_and_prints_known_answers"),
)
VALGRIND: Final = ("valgrind", "--quiet", "--error-exitcode=99", "--leak-check=no", "--num-callers=30")
_EXECUTABLE: Final = re.compile(r"\((\S+/deps/\S+)\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """What came of one tool; `why` says what it found, or why it did not run."""

    tool: str
    outcome: str
    seconds: float
    why: str


def main() -> int:
    """Run what there is; fail if anything was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="where to write the report")
    parser.add_argument("--tool", action="append", choices=TOOLS, help="only this one; all if left out")
    parser.add_argument("--target-dir", type=Path, default=Path("target/sanitize"), help="where things are built")
    options = parser.parse_args()
    checks = [_timed(name, TOOLS[name], options.target_dir) for name in options.tool or TOOLS]
    is_passed = all(check.outcome != "failed" for check in checks)
    if options.json is not None:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        report = {"summary": {"pass": is_passed}, "checks": [asdict(check) for check in checks]}
        options.json.write_text(json.dumps(report, indent=2) + "\n", "utf-8")
    return 0 if is_passed else 1


class Missing(Exception):
    """A tool is not installed; the message says how to get it."""


class Found(Exception):
    """A tool found something; the message is the end of what it said."""


def _timed(name: str, check: Callable[[Path], str], target_dir: Path) -> Check:
    began = time.monotonic()
    try:
        outcome, why = "passed", check(target_dir / name)
    except Missing as error:
        outcome, why = "skipped", str(error)
    except Found as error:
        outcome, why = "failed", str(error)
    print(f"{name}: {outcome} ({why.splitlines()[-1] if why else ''})", flush=True)
    return Check(tool=name, outcome=outcome, seconds=round(time.monotonic() - began, 1), why=why[-4000:])


def _miri(target_dir: Path) -> str:
    _need(("cargo", NIGHTLY, "miri", "--version"), "rustup component add miri rust-src --toolchain nightly")
    for package, *chosen in INTERPRETED:
        # Files and clocks are no part of what is interpreted; proptest would look for a file of its own.
        extra = {"MIRIFLAGS": "-Zmiri-disable-isolation", "PROPTEST_CASES": "4"}
        _run(("cargo", NIGHTLY, "miri", "test", *_packages([package]), *chosen), target_dir, extra)
    return f"{len(INTERPRETED)} test suites"


def _address_sanitizer(target_dir: Path) -> str:
    _need(("cargo", NIGHTLY, "--version"), "rustup toolchain install nightly")
    extra = {"RUSTFLAGS": "-Zsanitizer=address", "ASAN_OPTIONS": "detect_leaks=0", "PROPTEST_CASES": "16"}
    _run(("cargo", NIGHTLY, *_tests(SIMULATIONS), "--no-fail-fast", "--", *LINKED_BY_C), target_dir, extra)
    return f"tests of {', '.join(SIMULATIONS)}"


def _thread_sanitizer(target_dir: Path) -> str:
    _need(("cargo", NIGHTLY, "--version"), "rustup toolchain install nightly")
    root = subprocess.run(("rustc", NIGHTLY, "--print", "sysroot"), capture_output=True, text=True, check=True)
    if not (Path(root.stdout.strip()) / "lib/rustlib/src/rust/library").is_dir():
        raise Missing(
            "the standard library must be built with it too: rustup component add rust-src --toolchain nightly"
        )
    extra = {"RUSTFLAGS": "-Zsanitizer=thread", "PROPTEST_CASES": "16", "RUST_TEST_THREADS": "1"}
    _run(("cargo", NIGHTLY, *_tests(THREADED), "-Zbuild-std"), target_dir, extra)
    return f"tests of {', '.join(THREADED)}"


def _valgrind(target_dir: Path) -> str:
    _need((VALGRIND[0], "--version"), "install the package valgrind")
    extra = {"PROPTEST_CASES": "2", "RUST_TEST_THREADS": "1"}
    built = _run(("cargo", "test", "--no-run", *_packages(("kernel", "capi"))), target_dir, extra)
    binaries = _EXECUTABLE.findall(built)
    for binary in binaries:
        _run((*VALGRIND, binary, "--test-threads=1"), target_dir, extra)
    return f"{len(binaries)} test binaries of kernel, capi"


TOOLS: Final[Mapping[str, Callable[[Path], str]]] = {
    "miri": _miri,
    "address-sanitizer": _address_sanitizer,
    "thread-sanitizer": _thread_sanitizer,
    "valgrind": _valgrind,
}


def _tests(packages: Sequence[str]) -> tuple[str, ...]:
    return ("test", "--target", TARGET, "--lib", "--tests", *_packages(packages))


def _packages(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(part for name in names for part in ("-p", f"diorama-{name}"))


def _need(command: Sequence[str], remedy: str) -> None:
    if shutil.which(command[0]) is None or subprocess.run(command, capture_output=True, check=False).returncode:
        raise Missing(f"{' '.join(command[:-1])} is not installed: {remedy}")


def _run(command: Sequence[str], target_dir: Path, extra: Mapping[str, str]) -> str:
    """Run a command, with its own folder to build in; return everything it said."""
    environment = {**os.environ, **extra, "CARGO_TARGET_DIR": str(target_dir), "CARGO_TERM_COLOR": "never"}
    done = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode:
        raise Found(f"{' '.join(command)}\n{done.stdout[-3500:]}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
