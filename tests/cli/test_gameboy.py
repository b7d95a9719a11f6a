"""`diorama gameboy`: verify, assemble, disassemble, trace, judge."""

import gzip
import json
import os
import subprocess
from functools import partial
from pathlib import Path

import pytest

from diorama.cli.app import run
from diorama.worlds.gameboy.assembler import Asm
from diorama.worlds.gameboy.roms.catalogue import assemble, rom_names
from tests.cli.invoking import invoke as command
from tests.worlds.gameboy.vectors import INC_B

invoke = partial(command, "gameboy")


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(["gameboy", *arguments]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    return told


def test_backends_that_agree_are_told_in_one_line(tmp_path: Path) -> None:
    report = tmp_path / "report.json"

    told = invoke(
        *("verify", "GRID_GOAL", "--ref", "rust", "--dut", "rust", "--steps", "3"),
        *("--lanes", "8", "--json", str(report)),
    )

    assert told.exit_code == 0
    assert told.stdout == "GRID_GOAL: rust and rust, profile exact: agree over 3 steps (72 frames), 12 comparisons\n"
    written = json.loads(report.read_text())
    assert (written["pass"], written["steps"], written["lanes"]) == (True, 3, 8)


def test_a_mismatch_leaves_a_bundle_whose_command_shows_it_again(tmp_path: Path) -> None:
    told = invoke(
        *("verify", "VBLANK_COUNT", "--ref", "rust", "--dut", "stub_bad", "--steps", "9"),
        *("--frames-per-step", "2", "--release-after-frames", "1", "--lanes", "5", "--bundle-dir", str(tmp_path)),
    )
    (bundle,) = tmp_path.iterdir()
    again = subprocess.run(
        ["/bin/sh", "repro.sh"], cwd=bundle, capture_output=True, text=True, check=False, env={**os.environ, "PATH": ""}
    )

    assert told.exit_code == 1
    first, second = told.stdout.splitlines()
    assert first.endswith("DIFFER at step 3, lane 4: wram is 255, should be 0 at $DF00 (1 bytes differ)")
    assert bundle.name in second
    assert (again.returncode, again.stdout.splitlines()[0]) == (1, first), again.stderr


def test_roms_that_judge_themselves_are_asked_for_their_verdict() -> None:
    told = invoke("verify", "HALT_BUG")

    assert (told.exit_code, "HALT_BUG on rust: passed" in told.stdout) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(("verify", "NOPE"), "no file and no ROM of ours is called 'NOPE'", id="rom"),
        pytest.param(("verify", "CATCH", "--dut", "abacus", "--ref", "rust"), "'abacus' is unknown", id="backend"),
        pytest.param(("verify", "CATCH", "--profile", "nearly"), "profile 'nearly' is unknown", id="profile"),
        pytest.param(("verify", "CATCH", "--actions", "mash"), "action source 'mash' is unknown", id="actions"),
        pytest.param(("verify", "CATCH", "--release-after-frames", "25"), "release_after_frames is 25", id="schedule"),
        pytest.param(("trace", "CATCH", "--break", "here"), "'here' is no address", id="address"),
        pytest.param(("trace", "CATCH", "--boot", "warm"), "boot mode 'warm' is unknown", id="boot"),
        pytest.param(("disasm", "CATCH", "--bank", "9"), "--bank 9 does not exist", id="bank"),
        pytest.param(("disasm", "CATCH", "--start", "$8000"), "is not in the ROM", id="start"),
        pytest.param(("asm", "absent.asm"), "absent.asm: cannot be read", id="source"),
        pytest.param(("accuracy",), "give a folder of test ROMs", id="no-folder"),
        pytest.param(("sm83", "absent"), "absent does not exist", id="no-vectors"),
        pytest.param(("play", "CATCH"), "diorama gameboy play needs a terminal", id="no-terminal"),
    ],
)
def test_bad_input_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], message: str
) -> None:
    monkeypatch.delenv("DIORAMA_GB_ACCURACY_DIR", raising=False)

    assert message in refusal(capsys, *arguments)


def test_a_program_is_assembled_listed_and_traced(tmp_path: Path) -> None:
    source = tmp_path / "count.asm"
    source.write_text("start:\n  ld hl,$C000\nloop: inc (hl)\n  jr loop\n")

    built = invoke("asm", str(source), "--library", "memcpy")
    listed = invoke("disasm", str(tmp_path / "count.gb"), "--count", "3")
    traced = invoke("trace", str(tmp_path / "count.gb"), "--watch-write", "$C000", "--count", "2")
    stopped = invoke("trace", str(tmp_path / "count.gb"), "--break", "0x4000", "--frames", "3")

    assert built.stdout == f"{tmp_path / 'count.gb'}: 32,768 bytes\n"
    assert listed.stdout.splitlines() == [
        "0150  21 00 C0  ld hl,$C000",
        "0153  34        inc (hl)",
        "0154  18 FD     jr $0153",
    ]
    lines = traced.stdout.splitlines()
    assert lines[0].startswith("stopped at $0153 after ")
    assert [("jr $0153" in lines[1]), ("inc (hl)" in lines[2])] == [True, True]
    assert (stopped.exit_code, stopped.stderr) == (1, "no stop was reached in 3 frames\n")


def test_the_boot_stub_is_traced_with_its_operands() -> None:
    lines = invoke("trace", "GRID_GOAL", "--count", "2").stdout.splitlines()

    assert "0000  31 FE FF  ld sp,$FFFE" in lines[0]
    assert "SP=FFFE" in lines[1]


def test_code_in_memory_is_traced_without_operands_that_nobody_knows(tmp_path: Path) -> None:
    source = tmp_path / "copied.asm"
    source.write_text("start:\n  ld a,$3E\n  ld ($C000),a\n  ld a,$77\n  ld ($C001),a\n  jp $C000\n")
    invoke("asm", str(source))

    traced = invoke("trace", str(tmp_path / "copied.gb"), "--break", "$C000", "--count", "1").stdout.splitlines()

    assert "C000  3E        ld a,d8 " in traced[1]


def test_a_mistake_in_a_program_is_told_with_its_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source = tmp_path / "bad.asm"
    source.write_text("start:\n  ld a,b\n  leap start\n")

    assert "line 3" in refusal(capsys, "asm", str(source))


def test_a_folder_of_test_roms_becomes_a_table_and_a_report(tmp_path: Path) -> None:
    hangs = Asm("HANGS")
    hangs("start: jr start")
    for name, image in {"good.gb": assemble("EI_DELAY"), "hangs.gb": hangs.build(), "no_rom.gb": b"?"}.items():
        (tmp_path / name).write_bytes(image)
    report = tmp_path / "accuracy.json"

    told = invoke("accuracy", str(tmp_path), "--frames", "200", "--json", str(report))

    assert told.exit_code == 1
    assert told.stdout.splitlines()[-1] == "3 test ROMs: 1 pass, 1 hang, 1 skip"
    written = json.loads(report.read_text())
    assert [row["outcome"] for row in written["results"]] == ["pass", "hang", "skip"]
    assert written["counts"]["pass"] == 1


def test_vectors_are_run_and_counted(tmp_path: Path) -> None:
    wrong = {**INC_B, "final": {**INC_B["final"], "b": 99}}
    good, bad = tmp_path / "good.json.gz", tmp_path / "04.json"
    good.write_bytes(gzip.compress(json.dumps({"04": [INC_B] * 3, "10": [INC_B]}).encode()))
    bad.write_text(json.dumps([INC_B, wrong]))

    passed, failed = invoke("sm83", str(good), "--per-opcode", "2"), invoke("sm83", str(bad))

    assert (passed.exit_code, passed.stdout) == (0, "2 of 2 vectors of 2 opcodes pass, opcode 10 not run\n")
    assert (failed.exit_code, failed.stdout.splitlines()) == (
        1,
        ["FAIL  04 0000: b is 16, should be 99", "1 of 2 vectors of 1 opcodes pass"],
    )


def test_all_roms_are_listed() -> None:
    listed = invoke("roms")

    assert all(name in listed.stdout for name in ("ALU_LOOP", "GRID_GOAL"))


@pytest.mark.slow
def test_all_roms_are_written(tmp_path: Path) -> None:
    written = invoke("roms", "--out", str(tmp_path))

    assert written.stdout == f"{tmp_path}: {len(rom_names())} ROMs and manifest.json\n"
    assert (tmp_path / "CATCH.gb").read_bytes() == assemble("CATCH")
