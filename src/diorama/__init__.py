"""Small deterministic worlds for reinforcement learning, each written twice and compared bit for bit."""

from diorama.engine.adapters.opening import parallel_env
from diorama.engine.adapters.registration import register_gymnasium
from diorama.engine.make import make

__all__ = ["__version__", "make", "parallel_env"]

__version__ = "0.1.0"

register_gymnasium()
