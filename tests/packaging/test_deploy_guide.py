"""What the guide to deployment tells operators to write, read as the programs it is for would read it."""

import re
import shlex
import shutil
import subprocess
from configparser import ConfigParser
from pathlib import Path

import pytest

from diorama.runs.quota import QUOTA_VARIABLE
from diorama.server.operation_settings import OperationSettings
from diorama.server.settings import ServerSettings
from tests.docs.test_commands import parse
from tests.packaging.environments import ROOT

GUIDE = ROOT / "docs" / "deploy.md"


def parts(language: str) -> list[str]:
    """Return the blocks of the guide in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def units() -> list[ConfigParser]:
    found = []
    for text in parts("ini"):
        unit = ConfigParser(strict=False, interpolation=None)
        unit.optionxform = str  # type: ignore[assignment,method-assign]  # systemd tells small letters from large ones
        unit.read_string(text)
        found.append(unit)
    return found


def test_units_start_commands_that_exist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()

    started = [shlex.split(unit["Service"]["ExecStart"]) for unit in units()]

    assert [Path(words[0]).name for words in started] == ["diorama", "diorama"]
    for words in started:
        parse(["diorama", *words[1:]])


def test_settings_that_the_guide_names_exist() -> None:
    named = set(re.findall(r"DIORAMA_[A-Z_]+", GUIDE.read_text(encoding="utf-8")))

    known = {f"DIORAMA_{name.upper()}" for name in ServerSettings.model_fields}
    assert named - known == {"DIORAMA_CONSOLE_TOKEN", QUOTA_VARIABLE}


def test_units_are_bounded_and_give_the_server_time_to_end_by_itself() -> None:
    first, second = units()

    stop_seconds = float(first["Service"]["TimeoutStopSec"])
    assert stop_seconds > OperationSettings.model_fields["shutdown_seconds"].default
    assert all(re.fullmatch(r"\d+G", unit["Service"]["MemoryMax"]) for unit in (first, second))


@pytest.mark.slow
def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed")
    unit = tmp_path / "diorama.service"
    unit.write_text(parts("ini")[0].replace("/opt/diorama/bin/diorama", "/bin/true").replace("User=diorama\n", ""))

    done = subprocess.run(["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True)

    assert (done.returncode, [line for line in done.stderr.splitlines() if "diorama" in line]) == (0, [])
