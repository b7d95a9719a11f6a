"""What a process finds out about its machine."""

import os
from pathlib import Path

import pytest

import diorama
from diorama.engine import system_facts


@pytest.mark.parametrize(
    ("share", "cores"), [("max 100000", 8), ("400000 100000", 4), ("50000 100000", 1), ("250000 100000", 3)]
)
def test_a_containers_share_of_the_cores_is_kept_to(
    share: str, cores: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "cpu.max"
    told.write_text(f"{share}\n")
    monkeypatch.setattr(system_facts, "_CPU_SHARE", told)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))

    assert system_facts.usable_cores() == cores


def test_where_nothing_is_said_every_core_may_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_facts, "_CPU_SHARE", tmp_path / "nothing")

    assert system_facts.usable_cores() == len(os.sched_getaffinity(0))


def test_a_batch_has_as_many_threads_as_cores_may_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = tmp_path / "cpu.max"
    told.write_text("100000 100000\n")
    monkeypatch.setattr(system_facts, "_CPU_SHARE", told)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)))

    assert diorama.make("prospector", tier="reference").facts.threads == 1
