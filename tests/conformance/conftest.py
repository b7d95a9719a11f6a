"""Makes the example world importable, and puts worlds into the registry for as long as a test runs."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from diorama.contracts.world import World
from diorama.worlds import registry
from diorama.worlds.registry import Entry

ORCHARD_SOURCES = Path(__file__).parents[2] / "examples" / "orchard" / "src"
sys.path.insert(0, str(ORCHARD_SOURCES))

Register = Callable[..., None]


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Iterator[Register]:
    """Register a world, from a module of its own unless another is named."""

    def put(world: World[Any], module: str = "registered_for_a_test") -> None:
        holder = ModuleType("registered_for_a_test")
        holder.WORLD = world  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, holder.__name__, holder)
        version = world.describe(world.config_type()).interface_version
        monkeypatch.setitem(registry._ENTRIES, world.id, Entry(module, version))
        registry.load_world.cache_clear()

    yield put
    registry.load_world.cache_clear()
