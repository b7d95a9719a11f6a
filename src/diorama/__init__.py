"""Small deterministic worlds for reinforcement learning, each written twice and compared bit for bit."""

from typing import TYPE_CHECKING

from diorama.engine.adapters.announcing import register_when_gymnasium_is_imported

if TYPE_CHECKING:
    from diorama.engine.adapters.opening import parallel_env
    from diorama.engine.make import make

    __version__: str

__all__ = ["__version__", "make", "parallel_env"]


def __getattr__(name: str) -> object:
    """Load what is asked for when it is first asked for: `import diorama` alone loads no library."""
    if name == "__version__":
        version = _installed_version()
        globals()[name] = version
        return version
    if name == "make":
        from diorama.engine.make import make

        globals()[name] = make
        return make
    if name == "parallel_env":
        from diorama.engine.adapters.opening import parallel_env

        globals()[name] = parallel_env
        return parallel_env
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _installed_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(__name__)
    except PackageNotFoundError:
        return "0+uninstalled"  # a source tree on the path: nobody has said which version it is


register_when_gymnasium_is_imported()
