"""Small deterministic worlds for reinforcement learning, each written twice and compared bit for bit."""

from typing import TYPE_CHECKING

from diorama.engine.adapters.announcing import register_when_gymnasium_is_imported

if TYPE_CHECKING:
    from diorama.engine.adapters.opening import parallel_env
    from diorama.engine.make import make

__all__ = ["__version__", "make", "parallel_env"]

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Load what is asked for when it is first asked for: `import diorama` alone loads no library."""
    if name == "make":
        from diorama.engine.make import make

        globals()[name] = make
        return make
    if name == "parallel_env":
        from diorama.engine.adapters.opening import parallel_env

        globals()[name] = parallel_env
        return parallel_env
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


register_when_gymnasium_is_imported()
