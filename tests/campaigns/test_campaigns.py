"""Every campaign once, with a few kills; `python -m tests.campaigns` goes on for as long as it is told."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.campaigns.disks import NoDisk
from tests.campaigns.hostile import hostile_visitors
from tests.campaigns.live import full_disk_live, killed_live
from tests.campaigns.serving import full_disk_serving, killed_serving
from tests.campaigns.training import full_disk_training, killed_training

pytestmark = [pytest.mark.slow, pytest.mark.e2e]


@pytest.mark.parametrize("campaign", [killed_training, killed_live, killed_serving])
def test_nothing_is_lost_by_a_kill(campaign: Callable[..., dict[str, Any]], tmp_path: Path) -> None:
    assert campaign(tmp_path / "campaign", rounds=3, seed=20_261_116)


def test_a_server_outlives_hostile_visitors(tmp_path: Path) -> None:
    # How soon others are answered depends on what else the machine does; that somebody hangs does not.
    assert hostile_visitors(tmp_path / "campaign", seconds=8.0, seed=20_261_116, answered_within=60.0)


@pytest.mark.parametrize("campaign", [full_disk_training, full_disk_live, full_disk_serving])
def test_nothing_is_lost_by_a_full_disk(campaign: Callable[[Path], dict[str, Any]], tmp_path: Path) -> None:
    try:
        assert campaign(tmp_path / "campaign")
    except NoDisk as error:
        pytest.skip(str(error))
