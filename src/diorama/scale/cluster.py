"""The Ray cluster that work is spread over."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from typing import Final

from diorama.contracts.errors import ConfigError, MissingExtra

LOCAL: Final = "local"


@contextmanager
def cluster(address: str, *, cpus: int | None = None) -> Iterator[None]:
    """Be connected to a cluster for a while.

    Args:
        address: `local` starts a cluster on this machine that ends with the connection; `auto` takes the one that
            runs here already; everything else is where one is reached, such as `ray://10.0.0.1:10001`.
        cpus: Processors a local cluster counts with; None for all there are.

    Raises:
        MissingExtra: Ray is not installed.
        ConfigError: Nothing answers at the address.
    """
    if find_spec("ray") is None:
        raise MissingExtra.of("scale", needed_for="work on a Ray cluster")
    import ray

    quiet = partial(ray.init, log_to_driver=False, logging_level=logging.ERROR, configure_logging=False)
    try:
        if address == LOCAL:
            quiet(address=LOCAL, num_cpus=cpus, include_dashboard=False)
        else:
            quiet(address=address)
    except (ConnectionError, ValueError) as error:
        raise ConfigError(f"--ray {address}: no cluster answers there ({error}); start one with: ray start") from None
    try:
        yield
    finally:
        ray.shutdown()
