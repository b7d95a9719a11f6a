"""Reports: one shape for every script, and the gates that decide whether it passed."""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from diorama.contracts.values import JsonObject, JsonValue
from diorama.engine.system_facts import system_facts


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """One number that must be at least or at most so large; without a limit it is only told.

    Attributes:
        name: What is measured, with its unit.
        value: What was found.
        at_least: The least that passes.
        at_most: The most that passes.
    """

    name: str
    value: float
    at_least: float | None = None
    at_most: float | None = None

    @property
    def holds(self) -> bool:
        """Whether the number is within its limits."""
        return (self.at_least is None or self.value >= self.at_least) and (
            self.at_most is None or self.value <= self.at_most
        )

    def to_json(self) -> JsonObject:
        """Return the gate as it stands in a summary."""
        limits: dict[str, JsonValue] = {"at_least": self.at_least, "at_most": self.at_most}
        told = {name: limit for name, limit in limits.items() if limit is not None}
        return {"name": self.name, "value": self.value, **told, "pass": self.holds}

    def __str__(self) -> str:
        """Tell it in one line."""
        limits = [
            f"{word} {limit:g}"
            for word, limit in (("at least", self.at_least), ("at most", self.at_most))
            if limit is not None
        ]
        told = f" ({', '.join(limits)}: {'pass' if self.holds else 'FAIL'})" if limits else ""
        return f"{self.name}: {self.value:,.4g}{told}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What a script found.

    Attributes:
        gates: What decides, and what is told beside it.
        failures: Checks that did not hold, in words; any of them fails the script.
        sections: Everything else, each under its own key of the report.
        artifacts: Files the script leaves behind.
        skipped: What could not be measured here, with the reason.
    """

    gates: Sequence[Gate] = ()
    failures: Sequence[str] = ()
    sections: Mapping[str, JsonValue] = field(default_factory=dict)
    artifacts: Sequence[Path] = ()
    skipped: Sequence[str] = ()

    @property
    def passed(self) -> bool:
        """Whether every gate holds and nothing failed."""
        return not self.failures and all(gate.holds for gate in self.gates)


def make_report(run_id: str, options: argparse.Namespace, findings: Findings) -> JsonObject:
    """Put findings into the shape every report has."""
    return {
        "generated_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "run_id": run_id,
        "config": {key: _plain(value) for key, value in vars(options).items()},
        "summary": {
            "pass": findings.passed,
            "gates": [gate.to_json() for gate in findings.gates],
            "failures": list(findings.failures),
            "skipped": list(findings.skipped),
        },
        **findings.sections,
        "system": system_facts(),
        "artifacts": [path.as_posix() for path in findings.artifacts],
    }


def _plain(value: object) -> JsonValue:
    if isinstance(value, bool | int | float | str) or value is None:
        return value
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return str(value)
