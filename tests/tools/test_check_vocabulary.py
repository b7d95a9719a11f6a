"""The check of the vocabulary: what it finds, what it allows, and that the tree passes."""

from pathlib import Path

import pytest
from check_vocabulary import FOLDER, BadVocabulary, check, main, read_vocabulary

ROOT = Path(__file__).resolve().parents[2]
VOCABULARY = """
paths: ["package/**/*.py"]
forbidden:
  "Sights": PolicyInputs
  "lanes?": shard
prose:
  "[Ww]hoever": the component that is meant
  "is told": receives
exceptions:
  - {pattern: lane_copies, path: package/settings.py, why: a settings key}
"""
SETTINGS = "lane_copies = 3\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / FOLDER).mkdir(parents=True)
    (tmp_path / FOLDER / "package.yaml").write_text(VOCABULARY)
    (tmp_path / "package").mkdir()
    (tmp_path / "package/settings.py").write_text(SETTINGS)
    return tmp_path


def problems(root: Path) -> list[str]:
    return check(root, root / FOLDER)


def test_the_tree_uses_the_words_of_the_field() -> None:
    assert problems(ROOT) == []


def test_every_offence_has_its_line_and_its_replacement(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / "package/lanes.py").write_text(
        '"""Rollouts for whoever is\n    told about `Sights`."""\n\n\ndef first_lane(sights: object) -> None: ...\n'
    )

    status = main(["--root", str(root)])

    assert status == 1
    assert capsys.readouterr().out.splitlines() == [
        "package/lanes.py:0: lanes -> shard",
        "package/lanes.py:1: whoever -> the component that is meant",
        "package/lanes.py:1: is told -> receives",
        "package/lanes.py:2: Sights -> PolicyInputs",
        "package/lanes.py:5: lane -> shard",
    ]


def test_a_file_without_forbidden_words_passes(root: Path) -> None:
    (root / "package/more.py").write_text("planes = insights = 'lanes in a string are no identifiers'\n")

    assert main(["--root", str(root)]) == 0


def test_an_exception_holds_for_its_file_and_its_pattern_alone(root: Path) -> None:
    (root / "package/settings.py").write_text(f"{SETTINGS}lane_rows = 1\n")
    (root / "package/more.py").write_text(SETTINGS)

    assert problems(root) == ["package/more.py:1: lane -> shard", "package/settings.py:2: lane -> shard"]


def test_an_exception_that_allows_nothing_is_an_offence(root: Path) -> None:
    (root / "package/settings.py").write_text("shard_copies = 3\n")

    assert problems(root) == [
        "package.yaml: the exception 'lane_copies' for package/settings.py allows nothing; remove it"
    ]


def test_paths_without_files_are_an_offence(root: Path) -> None:
    (root / "package/settings.py").unlink()

    assert problems(root) == ["package.yaml: no file matches package/**/*.py"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param("paths: [a.py]\nwords: {}\n", "has the keys", id="unknown-key"),
        pytest.param("paths: [a.py]\nforbidden: {'(': x}\n", "is not a regular expression", id="expression"),
        pytest.param("paths: [a.py]\nexceptions: [{pattern: a, path: b}]\n", "needs", id="exception-without-reason"),
    ],
)
def test_a_vocabulary_that_cannot_be_used_is_refused(tmp_path: Path, content: str, reason: str) -> None:
    file = tmp_path / "broken.yaml"
    file.write_text(content)

    with pytest.raises(BadVocabulary, match=reason):
        read_vocabulary(file)
