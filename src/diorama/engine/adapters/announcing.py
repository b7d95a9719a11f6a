"""Has the worlds registered with Gymnasium once both are imported, in either order.

`import diorama` must stay cheap for whoever uses neither Gymnasium nor arrays (help and shell completion of the command
line, say), and Gymnasium has no list of plug-ins of its own: so its import is waited for.
"""

import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from importlib.abc import Loader  # loads modules that every command line would wait for

LIBRARY: Final = "gymnasium"


def register_when_gymnasium_is_imported() -> None:
    """Register the worlds now where Gymnasium is loaded, else as soon as it is."""
    if LIBRARY in sys.modules:
        _register()
    else:
        sys.meta_path.insert(0, _Watcher())


class _Watcher:
    """Finds Gymnasium as it would be found without it, and steps aside for everything else."""

    def __init__(self) -> None:
        self._is_looking = False

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != LIBRARY or self._is_looking:
            return None
        self._is_looking = True
        try:
            spec = find_spec(fullname)
        finally:
            self._is_looking = False
        if spec is not None and spec.loader is not None:
            spec.loader = _RegisteringLoader(spec.loader, self)  # type: ignore[assignment]  # it does what one does
        return spec


class _RegisteringLoader:
    def __init__(self, loader: "Loader", watcher: _Watcher) -> None:
        self._loader = loader
        self._watcher = watcher

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        # Only now: a mere look whether the library is there imports nothing, and must not end the watch.
        sys.meta_path.remove(self._watcher)
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        _register()


def _register() -> None:
    from diorama.engine.adapters.registration import register_gymnasium

    register_gymnasium()
