"""What happens where Warp, or a device of it, is missing."""

import sys

import pytest

from diorama.contracts.errors import TierUnavailable
from tests.worlds.gameboy.kernel.running import compiled


def test_a_missing_warp_is_told_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "warp", None)

    with pytest.raises(TierUnavailable, match=r"Warp does not load .* install it with 'pip install diorama\[gpu\]'"):
        compiled("GRID_GOAL")
