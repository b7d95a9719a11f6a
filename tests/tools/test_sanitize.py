"""Sanitizers that are not there are skipped, and what one finds fails the whole."""

import json
import sys
from pathlib import Path

import pytest
import sanitize


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which programs are found."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def install(folder: Path, name: str, script: str) -> None:
    program = folder / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)


def outcomes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[int, dict[str, tuple[str, str]]]:
    report = tmp_path / "reports" / "sanitize.json"
    monkeypatch.setattr(sys, "argv", ["sanitize.py", "--json", str(report), "--target-dir", str(tmp_path), *words])
    code = sanitize.main()
    document = json.loads(report.read_text(encoding="utf-8"))
    assert document["summary"]["pass"] == (code == 0)
    return code, {check["tool"]: (check["outcome"], check["why"]) for check in document["checks"]}


def test_without_any_of_them_everything_is_skipped_with_a_remedy(
    programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, told = outcomes(tmp_path, monkeypatch)

    assert code == 0
    assert {outcome for outcome, _ in told.values()} == {"skipped"}
    assert told["valgrind"][1] == "valgrind is not installed: install the package valgrind"
    assert "rustup toolchain install nightly" in told["thread-sanitizer"][1]
    assert capsys.readouterr().out.count("skipped") == 4


def test_what_is_found_is_told_and_fails(programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(programs, "valgrind", "echo valgrind-3.25")
    install(programs, "rustc", "echo host: x86_64-unknown-linux-gnu")
    install(programs, "cargo", 'echo "$CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER"; echo lost: 64 bytes; exit 99')

    code, told = outcomes(tmp_path, monkeypatch, "--tool", "valgrind")

    assert code == 1
    outcome, why = told["valgrind"]
    assert outcome == "failed"
    assert "--error-exitcode=99" in why
    assert why.endswith("lost: 64 bytes\n")


def test_what_was_looked_at_is_told(programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(programs, "rustc", "echo host: x86_64-unknown-linux-gnu")
    install(programs, "cargo", 'test "$RUSTFLAGS" = -Zsanitizer=address')

    code, told = outcomes(tmp_path, monkeypatch, "--tool", "address-sanitizer")

    assert code == 0
    assert told["address-sanitizer"][0] == "passed"
    assert "tidebreak" in told["address-sanitizer"][1]
