"""Files that are not what a command takes are named once, with what would be right."""

from pathlib import Path

import pytest

from diorama.cli.app import run

BROKEN_YAML = "a: [1"
PROSE = "hello\n"


@pytest.mark.parametrize(
    ("command", "text", "message"),
    [
        pytest.param(["snapshot", "inspect"], PROSE, "wrong.one: is no gzip; it must be gzip", id="snapshot"),
        pytest.param(["townlet", "validate"], BROKEN_YAML, "{path} line 1, column 6: expected ',' or ']'", id="town"),
        pytest.param(["townlet", "validate"], PROSE, "{path}: holds a str; it must be a mapping", id="no-town"),
        pytest.param(["tidebreak", "fight"], PROSE, "diorama: {path}: P003 document: is not JSON", id="package"),
        pytest.param(["morphogenesis", "inspect"], PROSE, "none of its 1 lines is an event", id="events"),
        pytest.param(["morphogenesis", "inspect"], "", "none of its 0 lines is an event", id="nothing"),
        pytest.param(["gameboy", "disasm"], PROSE, "a cartridge image has a multiple of 16384", id="rom"),
    ],
)
def test_a_wrong_file_is_named_once(
    command: list[str], text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "wrong.one"
    path.write_text(text)

    exit_code = run([*command, str(path)])

    said = capsys.readouterr().err
    assert (exit_code, said.count("\n")) == (2, 1)
    assert message.format(path=path) in said
    assert said.count(path.name) == 1


def test_whoever_cannot_be_fought_is_neither_a_controller_nor_a_run(capsys: pytest.CaptureFixture[str]) -> None:
    exit_code = run(["morphogenesis", "duel", "--against", "nobody", "--run-root", "runs"])

    said = capsys.readouterr().err
    assert exit_code == 2
    assert "no controller is called 'nobody'; there are: rules, " in said
    assert "and there is no run 'nobody' in runs" in said
