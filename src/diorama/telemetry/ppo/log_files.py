"""A PPO log on the disk: `NAME`, then `NAME.1`, `NAME.2` and so on as it grows."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from diorama.contracts.errors import DocumentError, UnknownName
from diorama.contracts.values import JsonValue
from diorama.storage.artifact_files import open_named
from diorama.storage.atomic_files import storage_errors
from diorama.storage.json_text import decode_json
from diorama.storage.line_files import MAX_FILE_BYTES, NEWLINE, LineFile
from diorama.telemetry.ppo.checks import is_number
from diorama.telemetry.ppo.fields import PPO_LOG_FILE, STEPS_FIELD

MAX_LINE_BYTES: Final = 1 << 20
_MAX_VALUES: Final = 1 << 14  # of a record; it has a hundred or two


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of a log; `is_whole` is false for a last one that is still being written."""

    file: Path
    number: int
    data: bytes
    is_whole: bool

    @property
    def place(self) -> str:
        """Where it stands, for people."""
        return f"{self.file} line {self.number}"


def find_log(path: Path) -> Path:
    """Return the first file of the log that a path means: a log itself, or a run directory.

    Raises:
        UnknownName: There is no log.
    """
    base = path / "telemetry" / PPO_LOG_FILE if path.is_dir() else path
    if not log_files(base):
        raise UnknownName(f"{base} does not exist; name a PPO log or a run directory that has one")
    return base


def distinct_logs(paths: Sequence[Path]) -> tuple[Path, ...]:
    """Return the logs that paths mean; a rotated file that belongs to another of them counts once, as its part.

    Raises:
        UnknownName: There is no log at one of them.
    """
    bases = tuple(dict.fromkeys(find_log(path) for path in paths))
    parts = {part for base in bases for part in log_files(base) if part != base}
    return tuple(base for base in bases if base not in parts)


def log_files(base: Path) -> tuple[Path, ...]:
    """Return the files of a log that exist, in the order in which they were written."""
    numbered = ((rotation_number(base, path), path) for path in base.parent.glob(f"{_escape(base.name)}*"))
    return tuple(path for _, path in sorted((number, path) for number, path in numbered if number is not None))


def rotation_number(base: Path, path: Path) -> int | None:
    """Return 0 for the first file of a log, n for `NAME.n`, and None for a file that does not belong to it."""
    if path.name == base.name:
        return 0
    match = re.fullmatch(r"\.([1-9][0-9]*)", path.name.removeprefix(base.name))
    return None if match is None else int(match[1])


def rotated(base: Path, number: int) -> Path:
    """Return the name of the file with that number."""
    return base if number == 0 else base.with_name(f"{base.name}.{number}")


def read_log(base: Path) -> Iterator[LogLine]:
    """Yield every line of a log, file by file; memory is bounded whatever the files hold."""
    for file in log_files(base):
        with open_named(file, most_bytes=MAX_FILE_BYTES) as opened:
            number = 0
            while data := opened.readline(MAX_LINE_BYTES):
                number += 1
                yield LogLine(file, number, data.removesuffix(NEWLINE), is_whole=data.endswith(NEWLINE))


def keep_until(base: Path, agent_steps: int) -> None:
    """Drop everything from the first record on whose update had learned from more than so many agent steps.

    Raises:
        StorageError: The disk refuses; what is left is the beginning of the log.
    """
    files = log_files(base)
    for place, file in enumerate(files):
        with file.open("rb") as opened:
            kept = next((number for number, line in enumerate(opened) if _steps_of(line) > agent_steps), None)
        if kept is None:
            continue
        # The last file first: whenever this is cut short, what is there has no gap.
        for later in reversed(files[place + 1 :]):
            with storage_errors(later):
                later.unlink()
        with LineFile(file) as log:
            log.keep(kept)
        return


def _steps_of(line: bytes) -> float:
    """Return the agent steps behind a record; those of a line that is none are nothing."""
    try:
        steps = parse_line(line).get(STEPS_FIELD)
    except ValueError:
        return 0.0
    return float(steps) if is_number(steps) else 0.0


def parse_line(data: bytes) -> Mapping[str, JsonValue]:
    """Return the object that a line holds.

    Raises:
        ValueError: It holds none; the message says what it holds.
    """
    try:
        value = decode_json(data, object, where="the line", most_values=_MAX_VALUES)
    except DocumentError as error:
        raise ValueError(str(error).removeprefix("the line: ")) from None
    if not isinstance(value, dict):
        raise ValueError(f"a JSON {type(value).__name__}, not an object")
    return value


def _escape(name: str) -> str:
    return re.sub(r"([*?[])", r"[\1]", name)
