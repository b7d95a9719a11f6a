import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2]
CODE = "src/diorama/numerics.py"
RECORDED = pytest.mark.parametrize(
    "record",
    [pytest.param("CHANGELOG.md", id="changelog"), pytest.param("docs/decisions/0001-x.md", id="decision")],
)
UNRECORDED = pytest.mark.parametrize(
    "file",
    [
        pytest.param(CODE, id="python"),
        pytest.param("src/diorama/worlds/prospector/presets/default.yaml", id="data-beside-python"),
        pytest.param("crates/kernel/src/pcg32.rs", id="rust"),
        pytest.param("crates/kernel/src/numerics/rounding.rs", id="rust-in-a-folder"),
    ],
)
SILENT = pytest.mark.parametrize(
    "file",
    [
        pytest.param("src/diorama/worlds/prospector/README.md", id="prose-beside-code"),
        pytest.param("src/diorama/_native.pyi", id="stub"),
        pytest.param("crates/kernel/Cargo.toml", id="manifest"),
        pytest.param("crates/kernel/tests/src.rs", id="rust-test"),
        pytest.param("tests/test_numerics.py", id="python-test"),
        pytest.param("Makefile", id="root-file"),
    ],
)


class Repository:
    """A throw-away copy of the check and the hook, under git unless a test says otherwise."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "DIORAMA_"))},
            "GIT_AUTHOR_NAME": "Ada",
            "GIT_AUTHOR_EMAIL": "ada@example.org",
            "GIT_COMMITTER_NAME": "Ada",
            "GIT_COMMITTER_EMAIL": "ada@example.org",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CEILING_DIRECTORIES": str(root.parent),
        }
        for file in ("tools/tracking_check.py", ".githooks/pre-commit"):
            (root / file).parent.mkdir(parents=True)
            shutil.copy(SOURCE / file, root / file)

    def git(self, *arguments: str) -> str:
        return self._run("git", *arguments, check=True).stdout

    def stage(self, *files: str) -> None:
        for file in files:
            path = self.root / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(path.read_text() + "more\n" if path.exists() else "new\n")
            self.git("add", file)

    def commit(self, message: str, *files: str) -> str:
        self.stage(*files)
        self.git("commit", "--quiet", "--message", message)
        return self.git("rev-parse", "--short", "HEAD").strip()

    def check(self, *arguments: str, environment: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        return self._run(sys.executable, "tools/tracking_check.py", *arguments, environment=environment)

    def try_commit(self, message: str, environment: Mapping[str, str] | None = None) -> bool:
        return self._run("git", "commit", "--message", message, environment=environment).returncode == 0

    def _run(
        self, *command: str, check: bool = False, environment: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.root,
            env={**self.environment, **(environment or {})},
            capture_output=True,
            encoding="utf-8",
            check=check,
        )


@pytest.fixture
def folder(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "diorama")


@pytest.fixture
def repository(folder: Repository) -> Repository:
    folder.git("init", "--quiet", "--initial-branch", "main")
    return folder


@UNRECORDED
def test_a_commit_that_changes_code_and_records_nothing_fails(repository: Repository, file: str) -> None:
    short_hash = repository.commit("kernel: round the other way", file)

    outcome = repository.check("--log")

    assert outcome.returncode == 1
    assert f"{short_hash} kernel: round the other way ({file})" in outcome.stderr.splitlines()
    assert "Behaviour: unchanged" in outcome.stderr


@RECORDED
def test_a_commit_that_changes_code_and_records_it_passes(repository: Repository, record: str) -> None:
    repository.commit("kernel: round the other way", CODE, record)

    assert repository.check("--log").returncode == 0


@SILENT
def test_a_commit_that_changes_no_behavior_needs_no_record(repository: Repository, file: str) -> None:
    repository.commit("docs: say it better", file)

    assert repository.check("--log").returncode == 0


def test_a_trailer_vouches_for_its_own_commit_alone(repository: Repository) -> None:
    repository.commit("kernel: name the constant\n\nEasier to read.\n\nBehaviour: unchanged", CODE)
    assert repository.check("--log").returncode == 0

    short_hash = repository.commit("kernel: round the other way", CODE)
    outcome = repository.check("--log")

    assert outcome.returncode == 1
    assert [line for line in outcome.stderr.splitlines() if line.endswith(f"({CODE})")] == [
        f"{short_hash} kernel: round the other way ({CODE})"
    ]


@pytest.mark.parametrize(
    "message",
    [
        pytest.param("Behaviour: unchanged", id="as-the-subject"),
        pytest.param("kernel: x\n\nBehaviour: unchanged is what I hope for", id="with-another-value"),
        pytest.param("kernel: x\n\nBehaviour: changed", id="with-the-opposite-value"),
        pytest.param("kernel: x\n\nBehaviour: unchanged\n\nOr so it seems.", id="before-the-last-paragraph"),
    ],
)
def test_words_that_are_no_trailer_vouch_for_nothing(repository: Repository, message: str) -> None:
    repository.commit(message, CODE)

    assert repository.check("--log").returncode == 1


def test_every_offending_commit_gets_a_line(repository: Repository) -> None:
    first = repository.commit("kernel: one", CODE)
    repository.commit("kernel: two", CODE, "CHANGELOG.md")
    third = repository.commit("kernel: three", "crates/kernel/src/lib.rs", CODE)

    outcome = repository.check("--log")

    assert outcome.stderr.splitlines()[1:3] == [
        f"{third} kernel: three (crates/kernel/src/lib.rs)",
        f"{first} kernel: one ({CODE})",
    ]


def test_a_range_leaves_older_commits_alone(repository: Repository) -> None:
    repository.commit("kernel: one", CODE)
    repository.commit("kernel: two", CODE, "CHANGELOG.md")

    assert repository.check("--log", "HEAD~1..HEAD").returncode == 0
    assert repository.check("--log").returncode == 1


def test_a_range_git_does_not_know_is_bad_input(repository: Repository) -> None:
    repository.commit("kernel: one", CODE, "CHANGELOG.md")

    outcome = repository.check("--log", "nowhere..HEAD")

    assert outcome.returncode == 2
    assert "nowhere..HEAD" in outcome.stderr


def test_a_file_that_leaves_the_code_counts_as_changed(repository: Repository) -> None:
    repository.commit("kernel: one", CODE, "CHANGELOG.md")
    (repository.root / "attic").mkdir()
    repository.git("mv", CODE, "attic/numerics.py")

    assert repository.check("--staged").returncode == 1
    repository.commit("kernel: drop it")
    assert repository.check("--log").returncode == 1


def test_merges_are_not_looked_at(repository: Repository) -> None:
    repository.commit("kernel: one", CODE, "CHANGELOG.md")
    repository.git("checkout", "--quiet", "-b", "side")
    repository.commit("kernel: two", "src/diorama/rng.py", "docs/decisions/0002-y.md")
    repository.git("checkout", "--quiet", "main")
    repository.commit("docs: three", "README.md")
    repository.git("merge", "--quiet", "--no-ff", "--no-commit", "side")
    repository.git("rm", "--quiet", "--cached", "docs/decisions/0002-y.md")

    assert repository.check("--staged").returncode == 0
    repository.commit("merge side", CODE)
    assert repository.check("--log").returncode == 0


@UNRECORDED
def test_staged_code_without_a_record_fails(repository: Repository, file: str) -> None:
    repository.stage(file)

    outcome = repository.check("--staged")

    assert outcome.returncode == 1
    assert file in outcome.stderr
    assert "DIORAMA_BEHAVIOUR=unchanged" in outcome.stderr


@RECORDED
def test_staged_code_with_a_record_passes(repository: Repository, record: str) -> None:
    repository.stage(CODE, record)

    assert repository.check("--staged").returncode == 0


def test_a_record_that_is_not_staged_does_not_count(repository: Repository) -> None:
    repository.stage(CODE)
    (repository.root / "CHANGELOG.md").write_text("line\n")

    assert repository.check("--staged").returncode == 1


def test_the_environment_vouches_for_what_is_staged(repository: Repository) -> None:
    repository.stage(CODE)

    assert repository.check("--staged", environment={"DIORAMA_BEHAVIOUR": "unchanged"}).returncode == 0
    assert repository.check("--staged", environment={"DIORAMA_BEHAVIOUR": "changed"}).returncode == 1


def test_the_hook_stops_an_unrecorded_commit(repository: Repository) -> None:
    repository.git("config", "core.hooksPath", ".githooks")
    repository.stage(CODE)
    assert not repository.try_commit("kernel: one")

    repository.stage("CHANGELOG.md")

    assert repository.try_commit("kernel: one")


def test_the_hook_lets_through_what_the_environment_vouches_for(repository: Repository) -> None:
    repository.git("config", "core.hooksPath", ".githooks")
    repository.stage(CODE)

    assert repository.try_commit("kernel: one", environment={"DIORAMA_BEHAVIOUR": "unchanged"})


@pytest.mark.parametrize("mode", ["--log", "--staged"])
def test_without_a_repository_the_check_is_skipped(folder: Repository, mode: str) -> None:
    outcome = folder.check(mode)

    assert outcome.returncode == 0
    assert "skipped, diorama has no readable git history" in outcome.stdout


@pytest.mark.parametrize("mode", ["--log", "--staged"])
def test_inside_another_repository_the_check_is_skipped(folder: Repository, mode: str) -> None:
    outer = {**folder.environment, "GIT_CEILING_DIRECTORIES": ""}
    subprocess.run(["git", "init", "--quiet"], cwd=folder.root.parent, env=outer, check=True)

    outcome = folder.check(mode, environment=outer)

    assert outcome.returncode == 0
    assert "skipped, diorama is a folder inside another git repository" in outcome.stdout


@pytest.mark.parametrize("mode", ["--log", "--staged"])
def test_without_git_the_check_is_skipped(repository: Repository, tmp_path: Path, mode: str) -> None:
    repository.stage(CODE)

    outcome = repository.check(mode, environment={"PATH": str(tmp_path)})

    assert outcome.returncode == 0
    assert "skipped, git is not installed" in outcome.stdout


def test_a_history_without_commits_is_skipped(repository: Repository) -> None:
    outcome = repository.check("--log")

    assert outcome.returncode == 0
    assert "skipped, there are no commits yet" in outcome.stdout
