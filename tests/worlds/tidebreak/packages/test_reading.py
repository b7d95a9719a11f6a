import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.worlds.tidebreak.packages import PackageError, Problem, ResultError, read_result
from diorama.worlds.tidebreak.packages.documents import Source
from diorama.worlds.tidebreak.resolve import read_package, resolve, validate_package
from tests.worlds.tidebreak.samples import changed, demo, full, result

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def leaves(document: object, path: str = "") -> list[str]:
    if isinstance(document, dict) and document:
        return [leaf for key, value in document.items() for leaf in leaves(value, f"{path}.{key}")]
    if isinstance(document, list) and document:
        return [leaf for index, value in enumerate(document) for leaf in leaves(value, f"{path}.{index}")]
    return [path.removeprefix(".")]


def problems_of(source: Source) -> list[Problem]:
    """Everything wrong; what can be read can be resolved, and an exception of any other kind fails the test."""
    try:
        resolve(read_package(source).package)
    except PackageError as error:
        return error.errors or [Problem("P000", "", "an error that says nothing")]
    return []


@pytest.mark.parametrize("form", ["mapping", "text", "bytes"])
def test_a_package_is_read_from_every_form(form: str) -> None:
    document = demo()
    forms: dict[str, Source] = {
        "mapping": document,
        "text": json.dumps(document),
        "bytes": json.dumps(document).encode(),
    }

    package = read_package(forms[form]).package

    assert package.battle_id == "demo-0001"
    assert package.ships[2].initial_state.layer.name == "SUBMERGED"


def test_unknown_fields_are_ignored_everywhere() -> None:
    plain = read_package(demo()).package
    document = demo()
    for place in ("", "map.", "map.weather.", "ships.0.", "ships.0.crew.", "ships.0.objective.", "teams.0.", "rules."):
        document = changed(document, f"{place}from_the_future", {"x": [1]})

    assert read_package(document).package == plain


def test_whole_numbers_stand_for_reals() -> None:
    speed = read_package(changed(demo(), "ships.0.initial_state.speed", 8)).package.ships[0].initial_state.speed

    assert isinstance(speed, float)


@pytest.mark.parametrize("version", [1, 2, 3, 4, 99])
def test_every_version_is_accepted(version: int) -> None:
    read = read_package(changed(demo(), "schema_version", f"arena.v{version}"))

    assert read.package.schema_version == f"arena.v{version}"
    assert read.warnings == ()


def test_an_older_reader_drops_what_it_does_not_know_and_does_not_complain() -> None:
    newest = read_package(full())
    second = read_package(full(), reader_version=2)
    first = read_package(full(), reader_version=1)

    assert newest.package.ships[3].siege_state is not None
    assert second.package.ships[3].siege_state is None
    assert second.package.ships[0].supply is not None
    assert first.package.ships[0].supply is None
    assert newest.warnings == second.warnings == first.warnings == ()


def test_a_package_of_the_first_version_loses_later_blocks_one_warning_each() -> None:
    read = read_package(changed(full(), "schema_version", "arena.v1"))

    assert [problem.path for problem in read.warnings] == [
        "ships.0.leadership",
        "ships.0.supply",
        "ships.0.damage_state",
        "ships.0.defenses",
        "ships.3.damage_state",
        "ships.3.siege_state",
    ]
    assert {problem.code for problem in read.warnings} == {"P061"}


def test_a_model_is_treated_as_its_document_would_be() -> None:
    newer = read_package(full()).package.model_copy(update={"schema_version": "arena.v2"})

    checked = validate_package(newer)

    assert [problem.path for problem in checked.warnings] == ["ships.3.siege_state"]
    assert checked.package.ships[3].siege_state is None


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b"null", b"1e999", b'"\xff"', b"\x00" * 9, b"[" * 5000, b'{"seed": ' + b"9" * 5000 + b"}"],
    ids=["empty", "open", "list", "null", "number", "not-utf8", "zeros", "deep", "long-number"],
)
def test_bytes_that_are_no_package_give_one_clear_error(data: bytes) -> None:
    with pytest.raises(PackageError) as caught:
        read_package(data)

    assert caught.value.errors
    assert all(problem.message for problem in caught.value.errors)


@given(st.binary(max_size=200))
def test_random_bytes_never_do_worse_than_a_package_error(data: bytes) -> None:
    with pytest.raises(PackageError):
        read_package(data)
    with pytest.raises(ResultError):
        read_result(data)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_cut_or_overwritten_text_never_does_worse_than_a_package_error(data: st.DataObject) -> None:
    text = bytearray(json.dumps(demo()).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
    text = text[: data.draw(st.integers(0, len(text)))]

    assert all(problem.message for problem in problems_of(bytes(text)))


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_any_value_in_any_place_never_does_worse_than_a_package_error(data: st.DataObject) -> None:
    document = full()
    path = data.draw(st.sampled_from(leaves(document)))
    depth = data.draw(st.integers(1, path.count(".") + 1))
    document = changed(document, ".".join(path.split(".")[:depth]), data.draw(json_values))

    assert all(problem.path.split(".")[0] in {*document, "schema_version"} for problem in problems_of(document))


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_any_value_in_any_place_of_a_result_never_does_worse_than_a_result_error(data: st.DataObject) -> None:
    document = result()
    document = changed(document, data.draw(st.sampled_from(leaves(document))), data.draw(json_values))

    try:
        problems = [str(read_result(document).seed)]
    except ResultError as error:
        problems = [problem.message for problem in error.errors]
    assert all(problems)
