"""The accuracy gates, on whatever public test ROMs are at hand; none of them comes with this project."""

import os
from pathlib import Path

import pytest

from diorama.worlds.gameboy.harness.accuracy.judging import Outcome, find_test_roms, judge
from diorama.worlds.gameboy.harness.accuracy.suites import Suite

REQUIRED = (Suite.BLARGG, Suite.MOONEYE, Suite.ACID2, Suite.RTC3TEST)


@pytest.mark.slow
def test_the_public_suites_pass() -> None:
    folder = os.environ.get("DIORAMA_GB_ACCURACY_DIR")
    if folder is None:
        pytest.skip(f"DIORAMA_GB_ACCURACY_DIR is not set: {', '.join(REQUIRED)} were not run")

    judged = [judge(rom) for rom in find_test_roms(Path(folder))]

    wrong = [row for row in judged if row.suite in REQUIRED and row.outcome not in (Outcome.PASS, Outcome.SKIP)]
    assert not wrong, "\n".join(f"{row.name}: {row.outcome} {row.words}" for row in wrong)
    assert any(row.outcome is Outcome.PASS for row in judged)
