"""What a check says about a world."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from diorama.contracts.values import JsonObject

MOST_FINDINGS: Final = 8  # of one check; whoever mends these sees the rest next time


class Verdict(StrEnum):
    """How a check ended."""

    PASS = "pass"
    FAIL = "fail"
    SKIP = "skip"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Something that is wrong, and what would be right."""

    what: str
    fix: str


@dataclass(slots=True)
class Report:
    """Collects what a check finds.

    Attributes:
        findings: What is wrong, each thing once.
        notes: What was looked at, or could not be.
        skipped: Why nothing was looked at; empty where something was.
        is_final: Whether what was found keeps further checks from saying anything.
    """

    findings: list[Finding] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    skipped: str = ""
    is_final: bool = False

    def fail(self, what: str, *, fix: str) -> None:
        """Say what is wrong and what to do about it."""
        finding = Finding(what=what, fix=fix)
        if finding not in self.findings and len(self.findings) < MOST_FINDINGS:
            self.findings.append(finding)

    def expect(self, is_right: bool, what: str, *, fix: str) -> bool:
        """Say what is wrong unless it is right; returns whether it is."""
        if not is_right:
            self.fail(what, fix=fix)
        return is_right

    def note(self, text: str) -> None:
        """Say what was looked at."""
        self.notes.append(text)

    def skip(self, why: str) -> None:
        """Say why there is nothing to look at."""
        self.skipped = why

    def stop(self) -> None:
        """Say that further checks would only fail for the same reason."""
        self.is_final = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One check, done.

    Attributes:
        name: Of the check.
        promise: What it holds the world to.
        verdict: How it ended.
        findings: What is wrong; empty unless it failed.
        notes: What was looked at, or why it was not.
        seconds: Wall-clock time.
        is_final: Whether no further check was run.
    """

    name: str
    promise: str
    verdict: Verdict
    findings: tuple[Finding, ...]
    notes: tuple[str, ...]
    seconds: float
    is_final: bool = False

    def document(self) -> JsonObject:
        """Return the JSON form."""
        return {
            "check": self.name,
            "promise": self.promise,
            "verdict": self.verdict.value,
            "findings": [{"what": finding.what, "fix": finding.fix} for finding in self.findings],
            "notes": list(self.notes),
            "seconds": round(self.seconds, 3),
        }
