"""Holds every commit to the tracking rule: what changes behavior is recorded in the same commit.

Recorded means that the commit also touches `CHANGELOG.md` or `docs/decisions/`. Merges are not looked at, since what
they bring in has been checked commit by commit. Where there is no history, as in an sdist, the check is skipped.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
RECORDS: Final = (PurePosixPath("CHANGELOG.md"), PurePosixPath("docs/decisions"))
SILENT_SUFFIXES: Final = frozenset({".md", ".pyi"})  # prose and stubs, which nothing executes

TRAILER: Final = "Behaviour"
VARIABLE: Final = "DIORAMA_BEHAVIOUR"
UNCHANGED: Final = "unchanged"

_COMMIT: Final = "\x1e"
_FIELD: Final = "\x1f"
_NAME: Final = "\0"
_LOG_FORMAT: Final = f"%x1e%h%x1f%s%x1f%(trailers:key={TRAILER},valueonly,separator=%x2C)%x1f"

_RULE: Final = "A commit that changes behavior also adds a line to CHANGELOG.md or a decision under docs/decisions/."
_LOG_ADVICE: Final = f"{_RULE}\nIf it changes none, end its message with the line '{TRAILER}: {UNCHANGED}'."
_STAGED_ADVICE: Final = (
    f"{_RULE}\nIf it changes none, commit with {VARIABLE}={UNCHANGED} in the environment"
    f" and end the message with the line '{TRAILER}: {UNCHANGED}'."
)


class Skipped(Exception):
    """There is nothing to check here; the message says why."""


class BadRange(Exception):
    """Git does not know the range that was asked for; the message is git's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """What the check needs to know of a commit."""

    short_hash: str
    subject: str
    is_unchanged: bool
    files: tuple[str, ...]


def changes_behavior(file: str) -> bool:
    """Say whether a path, relative to the root, holds code that users run."""
    path = PurePosixPath(file)
    is_code = path.parts[0] == "src" or (path.parts[0] == "crates" and "src" in path.parts[1:-1])
    return is_code and path.suffix not in SILENT_SUFFIXES


def is_record(file: str) -> bool:
    """Say whether a path is the changelog or a decision."""
    return any(PurePosixPath(file).is_relative_to(record) for record in RECORDS)


def first_unrecorded(files: Iterable[str]) -> str | None:
    """Return the first file whose change should have been recorded beside it, None if all is well."""
    listed = tuple(files)
    if any(is_record(file) for file in listed):
        return None
    return next((file for file in listed if changes_behavior(file)), None)


def staged_files() -> tuple[str, ...]:
    """Return the files that the index would change; a rename counts as both its names."""
    listing = _git("diff", "--cached", "--name-only", "--no-renames", "-z")
    listing.check_returncode()
    return _names(listing.stdout)


def commits(revisions: str) -> tuple[Commit, ...]:
    """Return the commits of a range without its merges, newest first.

    Raises:
        BadRange: When git cannot resolve it.
    """
    log = _git(
        *("-c", "log.showRoot=true", "-c", "log.showSignature=false", "log", "--no-merges", "--no-renames"),
        *("--name-only", "-z", f"--format={_LOG_FORMAT}", revisions, "--"),
    )
    if log.returncode:
        raise BadRange(log.stderr.strip())
    return tuple(_parse_commit(text) for text in log.stdout.split(_COMMIT)[1:])


def check_staged() -> int:
    """Check what is about to be committed and return the exit status."""
    _require_repository()
    is_merge = _git("rev-parse", "--quiet", "--verify", "MERGE_HEAD").returncode == 0
    file = first_unrecorded(staged_files())
    if file is None or is_merge or os.environ.get(VARIABLE) == UNCHANGED:
        return 0
    print(f"tracking check: {file} changes and nothing records it\n{_STAGED_ADVICE}", file=sys.stderr)
    return 1


def check_log(revisions: str) -> int:
    """Check a range of commits and return the exit status."""
    _require_repository()
    if revisions == "HEAD" and _git("rev-parse", "--quiet", "--verify", "HEAD").returncode:
        raise Skipped("there are no commits yet")
    checked = commits(revisions)
    offending = [
        f"{commit.short_hash} {commit.subject} ({file})"
        for commit in checked
        if not commit.is_unchanged and (file := first_unrecorded(commit.files))
    ]
    if not offending:
        print(f"tracking check: passed for {len(checked)} commits")
        return 0
    print("\n".join(["tracking check: these commits record nothing:", *offending, _LOG_ADVICE]), file=sys.stderr)
    return 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the check.

    Returns:
        0 when the rule is kept or there is nothing to check, 1 when it is broken, 2 for a range git does not know.
    """
    parser = argparse.ArgumentParser(description=_RULE)
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--staged", action="store_true", help="check the index, as the pre-commit hook does")
    mode.add_argument("--log", nargs="?", const="HEAD", metavar="RANGE", help="check commits (all that HEAD reaches)")
    chosen = parser.parse_args(arguments)
    try:
        return check_staged() if chosen.staged else check_log(chosen.log)
    except Skipped as skipped:
        print(f"tracking check: skipped, {skipped}")
        return 0
    except BadRange as bad_range:
        print(f"tracking check: cannot read the range {chosen.log!r}: {bad_range}", file=sys.stderr)
        return 2


def _require_repository() -> None:
    try:
        answer = _git("rev-parse", "--show-prefix")
    except FileNotFoundError:
        raise Skipped("git is not installed") from None
    if answer.returncode:
        raise Skipped(f"{ROOT.name} has no readable git history ({answer.stderr.strip()})")
    if answer.stdout.strip():
        raise Skipped(f"{ROOT.name} is a folder inside another git repository")


def _git(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ("git", *arguments), cwd=ROOT, capture_output=True, encoding="utf-8", errors="replace", check=False
    )


def _parse_commit(text: str) -> Commit:
    short_hash, subject, trailers, names = text.split(_FIELD, 3)
    is_unchanged = UNCHANGED in (value.strip().lower() for value in trailers.split(","))
    # Git closes the message with a null and, where files follow, a line break.
    names = names.removeprefix(_NAME).removeprefix("\n")
    return Commit(short_hash=short_hash, subject=subject, is_unchanged=is_unchanged, files=_names(names))


def _names(listing: str) -> tuple[str, ...]:
    return tuple(name for name in listing.split(_NAME) if name)


if __name__ == "__main__":
    sys.exit(main())
