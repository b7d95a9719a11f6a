"""A comparison of two checkouts finds differences and reuses finished cases of the former one."""

import sys
from pathlib import Path

import compare_training
import pytest

# Stands for `diorama`: writes its argument into a file of the working directory, and logs the call in the checkout.
PROGRAM = """
import sys
from pathlib import Path

if sys.argv[1] == "fail":
    sys.exit("it went wrong")
Path("result.json").write_text('{"steps": %s, "created_at": "now"}')
with Path(__file__).with_name("calls").open("a") as calls:
    calls.write(sys.argv[1] + "\\n")
"""


def make_checkout(root: Path, *, steps: int, has_main: bool = True) -> Path:
    """Make a checkout whose command stores a number of steps."""
    package = root / "src" / "diorama"
    folder = package if has_main else package / "cli"
    folder.mkdir(parents=True)
    for path in {package, folder}:
        (path / "__init__.py").touch()
    (folder / "__main__.py").write_text(PROGRAM % steps)
    return root


def calls(checkout: Path) -> list[str]:
    """Return the first arguments of the commands that a checkout has run."""
    (log,) = checkout.rglob("calls")
    return log.read_text().split()


def compare(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    """Run the tool with these arguments and return its exit status."""
    monkeypatch.setattr(sys, "argv", ["compare_training.py", *map(str, arguments)])
    return compare_training.main()


@pytest.fixture
def cases(monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[str, ...]]:
    cases = {"short": ("train",), "long": ("train", "eval")}
    monkeypatch.setattr(compare_training, "CASES", cases)
    return cases


@pytest.mark.usefixtures("cases")
def test_a_checkout_without_a_main_module_runs_its_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    former = make_checkout(tmp_path / "former", steps=1, has_main=False)
    current = make_checkout(tmp_path / "current", steps=1)

    assert compare(monkeypatch, "--former", former, "--checkout", current, "--jobs", 2) == 0
    assert sorted(calls(former)) == sorted(calls(current)) == ["eval", "train", "train"]


@pytest.mark.usefixtures("cases")
def test_the_first_difference_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    former = make_checkout(tmp_path / "former", steps=1)
    current = make_checkout(tmp_path / "current", steps=2)

    assert compare(monkeypatch, "--former", former, "--checkout", current, "--case", "short") == 1
    assert "result.json: .steps: 1 became 2" in capsys.readouterr().out


def test_finished_cases_of_the_former_checkout_are_reused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cases: dict[str, tuple[str, ...]]
) -> None:
    former = make_checkout(tmp_path / "former", steps=1)
    current = make_checkout(tmp_path / "current", steps=1)
    options = ("--former", former, "--checkout", current, "--keep", tmp_path / "kept")
    assert compare(monkeypatch, *options, "--former-only", "--case", "short") == 0
    assert calls(former) == ["train"]

    assert compare(monkeypatch, *options) == 0
    assert compare(monkeypatch, *options) == 0
    assert calls(former) == ["train", "train", "eval"]
    assert calls(current) == ["train", "train", "eval"] * 2

    cases["short"] = ("eval",)
    assert compare(monkeypatch, *options, "--case", "short") == 0
    assert calls(former) == ["train", "train", "eval", "eval"], "other commands make it another case"


def test_a_case_that_failed_is_run_again(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    cases: dict[str, tuple[str, ...]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    cases["short"] = ("train", "fail")
    former = make_checkout(tmp_path / "former", steps=1)
    options = ("--former", former, "--keep", tmp_path / "kept", "--former-only", "--case", "short")

    assert compare(monkeypatch, *options) == 1
    assert compare(monkeypatch, *options) == 1
    assert calls(former) == ["train", "train"]
    assert "former: command 2 ended with 1: it went wrong" in capsys.readouterr().out
