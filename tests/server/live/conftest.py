from collections.abc import Iterator

import pytest

from tests.server.live.stage import AUTH, Stage, on_stage


@pytest.fixture(scope="session")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """A small paused town; commands and wrong tokens may come as fast as they can."""
    root = tmp_path_factory.mktemp("live")
    with on_stage(root, world={"population": 3}, console={"rate_limit_per_minute": 100_000}) as opened:
        opened.runtime.desk.guesses.per_minute = 100_000
        yield opened


@pytest.fixture
def strict_stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """A small paused town that knows everybody, listens to few commands and tells into a file."""
    with on_stage(
        tmp_path_factory.mktemp("strict"),
        world={"population": 1},
        console={"rate_limit_per_minute": 12},
        console_auth={**AUTH, "require_auth_for_viewer": True},
        telemetry={"transport": {"type": "file"}},
    ) as opened:
        yield opened
