from pathlib import Path

import httpx
import pytest

from diorama.cli.console.client import ConsoleClient, ConsoleFailure
from diorama.contracts.errors import ConfigError
from diorama.server.settings import read_settings
from tests.server.loopback import serving


def test_a_server_of_runs_says_where_the_live_world_is(tmp_path: Path) -> None:
    with serving(tmp_path, live_address="http://127.0.0.1:8001/") as server:
        answer = httpx.get(f"{server.base_url}/api/live")
        with pytest.raises(ConsoleFailure, match=r"shows runs; the live world answers at http://127\.0\.0\.1:8001"):
            ConsoleClient(server.base_url, None).world(None)

    assert answer.json() == {"address": "http://127.0.0.1:8001"}
    assert read_settings(live_address="").live_address is None


@pytest.mark.parametrize("wrong", ["localhost:8001", "ftp://x", "http://", "http://x?y"])
def test_what_is_no_address_stops_the_start(wrong: str) -> None:
    with pytest.raises(ConfigError, match="DIORAMA_LIVE_ADDRESS"):
        read_settings(live_address=wrong)
