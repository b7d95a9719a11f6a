"""Pages that this machine serves may read and play on a server that is asked on this machine, and others may not."""

from pathlib import Path

import httpx
import pytest
from starlette.requests import HTTPConnection

from diorama.server.errors import OriginRefused
from diorama.server.origins import check_visitor
from diorama.server.settings import ServerSettings
from tests.server.loopback import LoopbackServer, serving
from tests.server.test_manners import preflight

AT_HOME = ["http://localhost:5173", "http://127.0.0.1:3000", "https://app.localhost", "http://[::1]:8080"]


@pytest.mark.parametrize("origin", AT_HOME)
def test_pages_of_this_machine_read_and_play(origin: str, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        read = httpx.get(f"{server.base_url}/api/runs", headers={"Origin": origin})
        asked = preflight(server.base_url, origin)
        played = httpx.post(
            f"{server.base_url}/api/play/session", headers={"Origin": origin}, json={"world": "prospector"}
        )

    assert [answer.status_code for answer in (read, asked, played)] == [200, 200, 200]
    assert {answer.headers["access-control-allow-origin"] for answer in (read, asked, played)} == {origin}


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param({"Origin": "http://localhost.evil.example"}, id="name-that-begins-so"),
        pytest.param({"Origin": "http://evil.example:80"}, id="stranger"),
        pytest.param({"Origin": "http://localhost:5173.evil.example"}, id="port-that-is-a-name"),
        pytest.param({"Origin": "http://evil-localhost"}, id="name-that-ends-so"),
        pytest.param({"Origin": "http://127.0.0.1.evil.example"}, id="number-that-is-a-name"),
        pytest.param({"Origin": "http://192.168.1.2:3000"}, id="number-of-another-machine"),
        pytest.param({"Origin": "null"}, id="no-origin"),
        pytest.param({"Origin": "http://localhost:5173", "Host": "studio"}, id="asked-under-a-name-of-the-network"),
        pytest.param({"Origin": "http://localhost:5173", "Host": "10.0.0.7"}, id="asked-under-a-number-of-the-network"),
        pytest.param({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, id="part-of-a-strange-page"),
    ],
)
def test_other_pages_stay_out_of_a_server_on_this_machine(headers: dict[str, str], server: LoopbackServer) -> None:
    answer = httpx.get(f"{server.base_url}/api/runs", headers=headers)

    assert answer.status_code == 403
    assert "access-control-allow-origin" not in answer.headers


def test_pages_of_this_machine_can_be_shut_out(tmp_path: Path) -> None:
    with serving(tmp_path, cors_localhost=False) as server:
        answers = [httpx.get(f"{server.base_url}/api/runs", headers={"Origin": origin}) for origin in AT_HOME]
        part = httpx.get(f"{server.base_url}/api/runs", headers={"Sec-Fetch-Site": "same-site"})

    assert [answer.status_code for answer in (*answers, part)] == [403] * (len(AT_HOME) + 1)


def test_a_server_of_the_network_lets_no_page_of_this_machine_in() -> None:
    scope = {
        "type": "http",
        "headers": [(b"host", b"localhost:8000"), (b"origin", b"http://localhost:5173")],
        "server": ("10.0.0.7", 8000),
    }

    with pytest.raises(OriginRefused):
        check_visitor(HTTPConnection(scope), ServerSettings())
