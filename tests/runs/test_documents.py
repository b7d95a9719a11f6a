import json
from pathlib import Path

import pytest

from diorama.contracts.errors import DocumentError, StorageError, UnknownName
from diorama.runs.documents import RawObject, encode, read_document, replace_document
from diorama.runs.lines import read_lines
from diorama.storage.artifact_files import read_artifact
from diorama.storage.atomic_files import remove_unfinished, replace_file
from diorama.storage.line_files import LineFile
from tests.runs.full_disk import no_file_longer_than


def test_a_document_is_replaced_whole_and_leaves_nothing_else_behind(tmp_path: Path) -> None:
    path = tmp_path / "made" / "document.json"

    replace_document(path, {"value": 1})
    replace_document(path, {"value": [1.5, None, "ü"]})

    assert read_document(path, RawObject) == {"value": [1.5, None, "ü"]}
    assert json.loads(path.read_text("utf-8")) == {"value": [1.5, None, "ü"]}
    assert list(path.parent.iterdir()) == [path]


def test_a_full_disk_leaves_the_document_before(tmp_path: Path) -> None:
    path = tmp_path / "document.json"
    replace_document(path, {"value": 1})

    with no_file_longer_than(100), pytest.raises(StorageError, match=r"document\.json: cannot be written"):
        replace_document(path, {"value": "x" * 1000})

    assert read_document(path, RawObject) == {"value": 1}
    assert list(tmp_path.iterdir()) == [tmp_path / "document.json"]


def test_a_failed_writer_can_try_again(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with no_file_longer_than(10), pytest.raises(StorageError):
        replace_file(path, b"x" * 100)

    replace_file(path, b"x" * 100)

    assert path.read_bytes() == b"x" * 100


def test_a_directory_that_cannot_be_made_is_a_storage_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(StorageError, match="cannot be written"):
        replace_file(tmp_path / "file" / "document.json", b"")


def test_what_killed_writers_left_can_be_removed(tmp_path: Path) -> None:
    (tmp_path / ".document.json.unfinished-12-0").write_text("{")
    (tmp_path / "document.json").write_text("{}")

    remove_unfinished(tmp_path)

    assert list(tmp_path.iterdir()) == [tmp_path / "document.json"]


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"a":1}x', '{"a":NaN}', "\xff"])
def test_a_broken_document_says_where_it_lies(text: str, tmp_path: Path) -> None:
    path = tmp_path / "document.json"
    path.write_bytes(text.encode("latin-1"))

    with pytest.raises(DocumentError, match=r"document\.json: "):
        read_document(path, RawObject)


def test_a_document_nested_without_end_is_broken_and_no_crash(tmp_path: Path) -> None:
    path = tmp_path / "document.json"
    path.write_text('{"a":' * 100_000)

    with pytest.raises(DocumentError):
        read_document(path, RawObject)


def test_files_are_bounded_before_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "large"
    path.write_bytes(b"x" * 11)

    assert read_artifact(path, most_bytes=11) == b"x" * 11
    with pytest.raises(DocumentError, match="more than 10 bytes"):
        read_artifact(path, most_bytes=10)
    with pytest.raises(UnknownName, match="does not exist"):
        read_artifact(tmp_path / "none", most_bytes=10)


def test_numbers_that_are_not_finite_are_stored_as_null() -> None:
    assert encode({"value": float("nan"), "other": float("inf")}) == b'{"value":null,"other":null}'


def test_lines_are_appended_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "metrics" / "rows.jsonl"

    with LineFile(path) as file:
        file.append(encode({"row": 0}))
        file.append(encode({"row": 1}), encode({"row": 2}))
        assert file.last_line() == b'{"row":2}'

    assert list(read_lines(path, RawObject)) == [{"row": 0}, {"row": 1}, {"row": 2}]


def test_readers_ignore_a_line_that_is_being_written(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"row":0}\n{"row":1}')

    assert list(read_lines(path, RawObject)) == [{"row": 0}]
    assert list(read_lines(tmp_path / "none.jsonl", RawObject)) == []


def test_a_writer_cuts_off_what_a_killed_one_left_unfinished(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"row":0}\n' + '{"row":"' + "x" * 200_000)

    with LineFile(path) as file:
        file.append(encode({"row": 1}))

    assert list(read_lines(path, RawObject)) == [{"row": 0}, {"row": 1}]


def test_a_broken_line_is_named_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"row":0}\nrubbish\n{"row":2}\n')

    with pytest.raises(DocumentError, match=r"rows\.jsonl line 2: "):
        list(read_lines(path, RawObject))


def test_a_full_disk_never_leaves_a_part_of_a_line(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    with LineFile(path) as file:
        file.append(encode({"row": 0}))
        with no_file_longer_than(50), pytest.raises(StorageError, match=r"rows\.jsonl"):
            file.append(encode({"row": "x" * 30}), encode({"row": "x" * 30}))
        file.append(encode({"row": 1}))

    assert path.read_text() == '{"row":0}\n{"row":1}\n'


def test_lines_can_be_cut_to_their_first(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    with LineFile(path) as file:
        file.append(*(encode({"row": row}) for row in range(5)))
        file.keep(2)
        file.append(encode({"row": 7}))
        with pytest.raises(DocumentError, match="has 3 lines; 4 are needed"):
            file.keep(4)

    assert list(read_lines(path, RawObject)) == [{"row": 0}, {"row": 1}, {"row": 7}]
