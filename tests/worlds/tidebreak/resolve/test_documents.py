import hashlib
import json
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diorama.contracts.errors import ContractError
from diorama.contracts.values import canonical_json
from diorama.worlds.tidebreak.content import shipped_content
from diorama.worlds.tidebreak.packages import PackageError
from diorama.worlds.tidebreak.resolve import read_package, read_resolved, resolve
from diorama.worlds.tidebreak.scenarios import load_scenario, random_battle
from tests.worlds.tidebreak.samples import changed, demo, full


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**64 - 1))
def test_a_resolved_battle_survives_its_bytes(seed: int) -> None:
    resolved = resolve(random_battle(seed))

    again = read_resolved(resolved.document)

    assert again.battle == resolved.battle
    assert again.document == resolved.document


def test_the_document_is_canonical_and_named_by_its_hash() -> None:
    resolved = resolve(read_package(full()).package)

    assert resolved.document == canonical_json(json.loads(resolved.document)).encode()
    assert resolved.sha256 == hashlib.sha256(resolved.document).hexdigest()
    assert resolved.battle.content_hash == shipped_content().content_hash


def test_another_process_resolves_to_the_same_bytes() -> None:
    code = (
        "from diorama.worlds.tidebreak.scenarios import random_battle\n"
        "from diorama.worlds.tidebreak.resolve import resolve\n"
        "print(resolve(random_battle(12)).sha256)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert run.stdout.strip() == resolve(random_battle(12)).sha256


@pytest.mark.parametrize(("step", "substeps"), [(0.05, 20), (0.1, 10), (0.2, 5), (0.25, 4), (0.5, 2)])
def test_the_clock_divides_a_second(step: float, substeps: int) -> None:
    rules = resolve(read_package(changed(demo(), "time_step_s", step)).package).battle.rules

    assert (rules.substeps, rules.dt_s, rules.time_limit_ticks) == (substeps, 1.0 / substeps, 900)


def test_the_content_hash_of_the_loaded_tables_is_accepted() -> None:
    package = read_package(changed(demo(), "content_hash", shipped_content().content_hash)).package

    assert resolve(package).warnings == ()


def test_resolving_validates_and_carries_warnings() -> None:
    package = read_package(demo()).package
    stray = package.ships[0].model_copy(update={"team_id": "pirates"})
    newer = read_package(full()).package.model_copy(update={"schema_version": "arena.v2"})

    with pytest.raises(PackageError, match=r"P022 ships\.0\.team_id"):
        resolve(package.model_copy(update={"ships": (stray, *package.ships[1:])}))
    assert [problem.code for problem in resolve(newer).warnings] == ["P061"]


def test_a_storm_without_an_end_lasts_to_the_limit() -> None:
    battle = resolve(read_package(full()).package).battle

    assert battle.map.storms[0].ends_at_tick == battle.rules.time_limit_ticks


def test_the_field_square_is_centered_on_the_bounds() -> None:
    sea = resolve(load_scenario("demo")).battle.map

    assert (sea.field_side_m, sea.field_x0, sea.field_y0) == (16384.0, -8192.0, -8192.0)


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b"\xff", b"nonsense"])
def test_bytes_that_are_no_resolved_package_are_refused(data: bytes) -> None:
    with pytest.raises(ContractError, match=r"^C001 "):
        read_resolved(data)


def test_a_resolved_package_of_another_layout_is_refused() -> None:
    document = json.loads(resolve(load_scenario("demo")).document)

    with pytest.raises(ContractError, match=r"C001 .*tidebreak\.resolved\.9"):
        read_resolved(json.dumps({**document, "format": "tidebreak.resolved.9"}).encode())


@pytest.mark.parametrize(
    ("name", "sha256"),
    [
        ("demo", "aef38cb2fc4b4a6b60f48ca6f3aad2f72a51834af6deef5cfefd1071295db17a"),
        ("strait_passage", "b598471b75c04fdfd9c5e2b92422554a1e6c19c135989bf0dfe4a33a982ed5e1"),
        ("frigate_duel_in_fog", "6e5c0cb845d127fac883c18e758691a8e12390012b691d5b5e8c865a234ceeec"),
    ],
)
def test_a_stored_scenario_resolves_to_the_same_bytes_on_every_machine(name: str, sha256: str) -> None:
    assert resolve(load_scenario(name)).sha256 == sha256


def test_a_random_battle_among_islands_resolves_to_the_same_bytes_on_every_machine() -> None:
    assert resolve(random_battle(0)).sha256 == "df549446a790a59ccbb9beb8700277a307a2ddf3ec7b03085b18c61d5cf34ab6"
