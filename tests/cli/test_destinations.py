"""What cannot be written in the end is refused before any work is done."""

from pathlib import Path

import pytest

from diorama.cli.app import run


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["parity", "prospector", "--json"], id="parity"),
        pytest.param(["bench", "prospector", "--json"], id="bench"),
        pytest.param(["eval", "prospector", "--bot", "all", "--json"], id="eval"),
        pytest.param(["export", "my-run", "--out"], id="export"),
        pytest.param(["replay", "export", "my-run", "--out"], id="replay-export"),
        pytest.param(["tidebreak", "fight", "demo", "--out"], id="fight"),
        pytest.param(["morphogenesis", "heuristic", "--telemetry-file"], id="telemetry"),
        pytest.param(["gameboy", "verify", "GRID_GOAL", "--json"], id="gameboy"),
    ],
)
def test_a_file_where_a_folder_should_be_is_told_first(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")

    exit_code = run([*command, str(in_the_way / "made" / "here")])

    said = capsys.readouterr()
    assert (exit_code, said.out) == (2, "")
    assert said.err == f"diorama: {in_the_way / 'made' / 'here'} cannot be written: {in_the_way} is no folder\n"


def test_a_program_is_not_overwritten_by_its_rom(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "game.gb"
    source.write_text("start:\n  jr start\n")

    exit_code = run(["gameboy", "asm", str(source)])

    assert exit_code == 2
    assert "would be overwritten by its own ROM; name another file with --out" in capsys.readouterr().err
    assert source.read_text() == "start:\n  jr start\n"
