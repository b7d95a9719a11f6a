"""Generated modules of these tests go into a folder of their own."""

from collections.abc import Iterator

import pytest

from diorama.worlds.gameboy.kernel.cache import CACHE_VARIABLE


@pytest.fixture(scope="session", autouse=True)
def own_kernel_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(CACHE_VARIABLE, str(tmp_path_factory.mktemp("kernels")))
        yield
