"""Makes the example world importable, and puts worlds into the registry for as long as a test runs."""

import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from diorama.contracts.world import World
from diorama.worlds import registry
from diorama.worlds.entries import ENTRIES, Entry
from tests.worlds.installed import ORCHARD

sys.path.insert(0, str(ORCHARD))

Register = Callable[..., None]


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Iterator[Register]:
    """Register a world, from a module of its own unless another is named."""

    def put(world: World[Any], module: str = "registered_for_a_test") -> None:
        holder = ModuleType("registered_for_a_test")
        holder.WORLD = world  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, holder.__name__, holder)
        monkeypatch.setitem(ENTRIES, world.id, Entry(module, f"{world.id}-v1", world.summary))
        registry.load_world.cache_clear()

    yield put
    registry.load_world.cache_clear()
