"""No block of the documentation escapes: each is typed, run, written, taken from a file, or says why not."""

import re
from pathlib import Path
from typing import Final

import pytest

from tests.docs.blocks import DOCUMENTS, LANGUAGES, ROOT, SHELLS, SHOWN, Block, all_blocks, name_of, prose

PROGRAMS: Final = "diorama|make|python|pip|pytest|npm|npx|cargo|docker|torchrun|ray"
_COMMAND: Final = re.compile(rf"^\s*(?:\$ )?(?:{PROGRAMS}) ", re.MULTILINE)
_INDENTED: Final = re.compile(rf"^(?: {{4}}|\t)\s*(?:\$ )?(?:{PROGRAMS}) ", re.MULTILINE)


def blocks_of_all() -> list[tuple[str, Block]]:
    return [(name_of(document), block) for document in DOCUMENTS for block in all_blocks(document)]


def cannot_be_missed(document: Path) -> list[str]:
    """Say what is wrong with how a document shows its blocks."""
    fences = [line for line in document.read_text(encoding="utf-8").splitlines() if line.lstrip().startswith("```")]
    found = all_blocks(document)
    opened = [line for line in fences if line.removeprefix("```") not in {"", *LANGUAGES}]
    problems = [f"a fence that is not understood: {line}" for line in opened]
    if len(fences) != 2 * len(found):
        problems.append(f"{len(fences)} fences make {len(found)} blocks; each begins with ``` and its language")
    problems += [f"a command that is only indented: {line.strip()}" for line in _INDENTED.findall(prose(document))]
    problems += [f"commands in a block of {block.language}" for block in found if is_hidden_command(block)]
    return problems


def is_hidden_command(block: Block) -> bool:
    return block.language == "text" and _COMMAND.search(block.body) is not None


def is_tried(block: Block) -> bool:
    """Whether a test types, runs or writes a block, finds it in a file, or is told why it cannot."""
    return (
        block.language in SHELLS | SHOWN
        or block.file is not None
        or any(block.said(kind) for kind in ("run", "from", "not run"))
    )


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_a_block_cannot_be_missed(document: Path) -> None:
    assert cannot_be_missed(document) == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("```\ndiorama serve\n```\n", id="no-language"),
        pytest.param("```shell\ndiorama serve\n```\n", id="another-language"),
        pytest.param("* a list\n\n  ```sh\n  diorama serve\n  ```\n", id="inside-a-list"),
        pytest.param("Then:\n\n    diorama serve\n", id="indented"),
        pytest.param("```text\ndiorama serve [--port PORT]\n```\n", id="as-text"),
    ],
)
def test_a_command_that_would_escape_is_noticed(text: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")

    assert cannot_be_missed(page) != []


def test_every_block_of_code_is_tried_or_says_why_not() -> None:
    assert [f"{name}: {block.body}" for name, block in blocks_of_all() if not is_tried(block)] == []


def test_reasons_are_told() -> None:
    reasons = [(name, reason) for name, block in blocks_of_all() for reason in block.said("not run")]

    assert [(name, reason) for name, reason in reasons if len(reason) <= 10] == []
    tests = [(name, path) for name, reason in reasons for path in re.findall(r"tests/[\w./]+", reason)]
    assert [(name, path) for name, path in tests if not (ROOT / path.rstrip(".")).exists()] == []


def test_what_is_said_to_be_from_a_file_is_there() -> None:
    taken = [(name, block, path) for name, block in blocks_of_all() for path in block.said("from")]

    assert len(taken) > 3
    for name, block, path in taken:
        source = (ROOT / path).read_text(encoding="utf-8")
        assert flat(block.body) in flat(source), f"{name}: {path} has not\n{block.body}"


def flat(text: str) -> str:
    """Lines without what they are indented by."""
    return "\n".join(line.strip() for line in text.strip().splitlines())
