"""What auditors print is read, and what cannot be asked is said."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from audit import (
    Audit,
    Findings,
    NotAudited,
    Weakness,
    crate_findings,
    findings,
    python_findings,
    report,
    web_findings,
)

UNKNOWN = {"name": "own", "skip_reason": "not found"}
WEAK = {"dependencies": [{"name": "left", "version": "1.0", "vulns": [{"id": "PYSEC-1"}, {"id": "PYSEC-2"}]}]}
SOUND = {"dependencies": [{"name": "left", "version": "2.0", "vulns": []}, UNKNOWN]}


def printing(text: str, tmp_path: Path, *, error: str = "") -> Audit:
    """An auditor that prints a text."""
    code = f"import sys; print({text!r}); print({error!r}, file=sys.stderr)"

    def command() -> Sequence[str]:
        return [sys.executable, "-c", code]

    return Audit(what="packages", command=command, folder=tmp_path, read=python_findings)


def test_weaknesses_of_python_packages_are_named() -> None:
    found = [Weakness(package="left 1.0", advisory="PYSEC-1"), Weakness(package="left 1.0", advisory="PYSEC-2")]

    assert python_findings(WEAK) == Findings(weaknesses=found, unknown=[])
    assert python_findings(SOUND) == Findings(weaknesses=[], unknown=["own"])


def test_a_database_that_knows_nothing_finds_nothing_sound() -> None:
    with pytest.raises(NotAudited, match="knows none of 1 packages"):
        python_findings({"dependencies": [UNKNOWN]})


def test_weaknesses_of_the_web_client_are_those_with_an_advisory() -> None:
    document = {
        "vulnerabilities": {
            "deep": {"via": [{"title": "overflow", "url": "https://example.org/1"}]},
            "above": {"via": ["deep"]},
        }
    }

    assert web_findings(document).weaknesses == [Weakness(package="deep", advisory="https://example.org/1")]


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ({"message": "405 Method Not Allowed"}, "405 Method Not Allowed"),
        ({"error": {"code": "ENOLOCK", "summary": "there is no lock file"}}, "there is no lock file"),
        ({}, "does not say"),
    ],
    ids=["endpoint", "npm", "nothing"],
)
def test_a_registry_that_does_not_answer_is_named(answer: dict[str, object], why: str) -> None:
    with pytest.raises(NotAudited, match=why):
        web_findings(answer)


def test_weaknesses_of_crates_are_named() -> None:
    found = {"advisory": {"id": "RUSTSEC-1"}, "package": {"name": "left", "version": "0.1.0"}}

    assert crate_findings({"vulnerabilities": {"list": [found]}}).weaknesses == [
        Weakness(package="left 0.1.0", advisory="RUSTSEC-1")
    ]


def test_a_weakness_fails_the_audit_and_what_is_not_known_does_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    weak, sound = (printing(json.dumps(document), tmp_path) for document in (WEAK, SOUND))
    unknown = printing("", tmp_path, error="warning\nno route to host\n")

    assert report([sound, unknown]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "packages: no known weakness",
        "  in no database: own",
        "packages: NOT AUDITED (no route to host)",
    ]
    assert report([weak, unknown]) == 1
    assert "left 1.0: PYSEC-2" in capsys.readouterr().out
    with pytest.raises(NotAudited, match="no route to host"):
        findings(unknown)
