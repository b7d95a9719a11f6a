"""Checks a whole PPO log: every record, and the order of its running counter over all its files."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from diorama.contracts.values import JsonValue
from diorama.telemetry.ppo.checks import Severity, check_record, is_number
from diorama.telemetry.ppo.fields import OFFSET_FIELD
from diorama.telemetry.ppo.log_files import LogLine, log_files, parse_line, read_log


@dataclass(frozen=True, slots=True)
class Finding:
    """Something to be said about a log; `place` names the file and, where there is one, the line."""

    place: str
    severity: Severity
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LogReport:
    """What a log holds and what is wrong with it.

    Attributes:
        base: Its first file.
        files: All its files, in order.
        records: Every line that is a JSON object, in order.
        findings: In order of their places.
    """

    base: Path
    files: tuple[Path, ...]
    records: tuple[Mapping[str, JsonValue], ...]
    findings: tuple[Finding, ...]

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that make the log invalid."""
        return tuple(finding for finding in self.findings if finding.severity is Severity.ERROR)

    @property
    def is_valid(self) -> bool:
        """Whether nothing is wrong that matters."""
        return not self.errors


class LogChecker:
    """Checks lines one after another, as they are read or as they are written."""

    def __init__(self, *, is_strict: bool = False) -> None:
        """Start with the first line; `is_strict` makes an unknown field an error."""
        self._is_strict = is_strict
        self._last_offset: float | None = None

    def check(self, line: LogLine) -> tuple[Mapping[str, JsonValue] | None, tuple[Finding, ...]]:
        """Take the next line; return the object it holds, if it holds one, and what is to be said about it."""
        if not line.is_whole:
            return None, (Finding(line.place, Severity.WARNING, "the last line is unfinished and was left out"),)
        try:
            record = parse_line(line.data)
        except ValueError as error:
            return None, (Finding(line.place, Severity.ERROR, f"no JSON object: {error}"),)
        problems = check_record(record, is_strict=self._is_strict)
        findings = [Finding(line.place, problem.severity, problem.message) for problem in problems]
        return record, (*findings, *self._check_offset(record, line.place))

    def _check_offset(self, record: Mapping[str, JsonValue], place: str) -> tuple[Finding, ...]:
        offset = record.get(OFFSET_FIELD)
        if not is_number(offset):
            return ()
        before, self._last_offset = self._last_offset, offset
        if before is None or offset > before:
            return ()
        return (Finding(place, Severity.ERROR, f"{OFFSET_FIELD} is {offset} after {before}; it must grow"),)


def validate_log(base: Path, *, is_strict: bool = False) -> LogReport:
    """Check all files of a log.

    Args:
        base: Its first file, as `find_log` returns it.
        is_strict: Whether an unknown field is an error instead of a warning.
    """
    checker = LogChecker(is_strict=is_strict)
    records: list[Mapping[str, JsonValue]] = []
    findings: list[Finding] = []
    for line in read_log(base):
        record, found = checker.check(line)
        findings += found
        if record is not None:
            records.append(record)
    if not records:
        findings.append(Finding(str(base), Severity.ERROR, "there is no record in it"))
    return LogReport(base=base, files=log_files(base), records=tuple(records), findings=tuple(findings))
