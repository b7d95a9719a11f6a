"""Other origins, packing, body limits, figures: how the server behaves whatever it is asked for."""

from pathlib import Path

import httpx
import pytest

from diorama.contracts.errors import ConfigError
from diorama.server.settings import read_settings
from tests.server.conftest import TRAINED
from tests.server.loopback import LoopbackServer, serving

FRIEND = "http://friend.example:5173"


def preflight(base_url: str, origin: str) -> httpx.Response:
    headers = {"Origin": origin, "Access-Control-Request-Method": "POST"}
    return httpx.options(f"{base_url}/api/play/session", headers=headers)


def test_other_origins_are_shut_out_by_default(server: LoopbackServer) -> None:
    answer = httpx.get(f"{server.base_url}/api/runs", headers={"Origin": FRIEND})

    assert answer.status_code == 403
    assert "DIORAMA_CORS_ORIGINS" in answer.json()["detail"]
    assert not [name for name in answer.headers if name.startswith("access-control")]
    assert preflight(server.base_url, FRIEND).status_code == 403


@pytest.mark.parametrize(
    "origin",
    ["null", "http://evil.example", "http://127.0.0.1.evil.example", "http://localhost.:1", "http://127.0.0.1:port"],
)
def test_a_page_of_a_stranger_begins_nothing(origin: str, server: LoopbackServer) -> None:
    sessions = len(server.services.play.rooms)

    # Browsers send this without asking first: it has no body and no header of its own.
    answer = httpx.post(f"{server.base_url}/api/play/session", headers={"Origin": origin, "Sec-Fetch-Mode": "no-cors"})

    assert answer.status_code == 403
    assert answer.headers["x-frame-options"] == "DENY"
    assert len(server.services.play.rooms) == sessions


def test_the_servers_own_page_begins_a_session(server: LoopbackServer) -> None:
    own = {"Origin": server.base_url, "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"}

    assert httpx.post(f"{server.base_url}/api/play/session", headers=own).status_code == 200


@pytest.mark.parametrize(
    ("site", "mode", "status"),
    [
        pytest.param("cross-site", "no-cors", 403, id="part-of-another-page"),
        pytest.param("same-site", "no-cors", 200, id="another-port-of-this-machine"),
        pytest.param("cross-site", "navigate", 200, id="a-link-that-was-followed"),
        pytest.param("none", "navigate", 200, id="typed"),
        pytest.param("same-origin", "no-cors", 200, id="part-of-an-own-page"),
    ],
)
def test_pages_of_strangers_show_nothing_of_the_server(
    site: str, mode: str, status: int, server: LoopbackServer
) -> None:
    answer = httpx.get(f"{server.base_url}/api/runs", headers={"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode})

    assert answer.status_code == status


@pytest.mark.parametrize(
    ("host", "status"),
    [
        pytest.param("127.0.0.1:8000", 200, id="number"),
        pytest.param("[::1]:8000", 200, id="long-number"),
        pytest.param("localhost", 200, id="this-machine"),
        pytest.param("town.localhost:1", 200, id="a-name-of-this-machine"),
        pytest.param("server", 200, id="a-name-in-this-network"),
        pytest.param("Worlds.Example:443", 200, id="named"),
        pytest.param("rebound.example:8000", 403, id="a-strangers-name"),
        pytest.param("127.0.0.1.rebound.example", 403, id="begins-like-a-number"),
        pytest.param("worlds.example.rebound.example", 403, id="begins-like-the-named"),
        pytest.param("[::1", 403, id="broken"),
    ],
)
def test_a_server_answers_to_its_own_names_alone(host: str, status: int, tmp_path: Path) -> None:
    with serving(tmp_path, hosts="worlds.example") as server:
        answer = httpx.get(f"{server.base_url}/api/runs", headers={"Host": host, "Origin": f"http://{host}"})

    assert answer.status_code == status
    if status == 403:
        assert "DIORAMA_HOSTS" in answer.json()["detail"]


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({"cors_origins": f"http://other.example, {FRIEND}/"}, id="listed"),
        pytest.param({"cors_origin_regex": r"http://friend\.example:\d+"}, id="pattern"),
    ],
)
def test_origins_can_be_let_in(settings: dict[str, str], tmp_path: Path) -> None:
    with serving(tmp_path, **settings) as server:
        simple = httpx.get(f"{server.base_url}/api/runs", headers={"Origin": FRIEND})
        asked = preflight(server.base_url, FRIEND)
        foreign = preflight(server.base_url, "http://evil.example")

    assert simple.headers["access-control-allow-origin"] == FRIEND
    assert (asked.status_code, asked.headers["access-control-allow-origin"]) == (200, FRIEND)
    assert foreign.status_code == 403
    assert "access-control-allow-origin" not in foreign.headers


@pytest.mark.parametrize(
    ("told", "origin"),
    [
        pytest.param("HTTPS://Watch.Example/", "https://watch.example", id="letters-and-slash"),
        pytest.param("https://watch.example:443", "https://watch.example", id="usual-port"),
        pytest.param("http://watch.example:443", "http://watch.example:443", id="unusual-port"),
        pytest.param("http://[::1]:5173", "http://[::1]:5173", id="numbers"),
    ],
)
def test_origins_are_written_as_browsers_do(told: str, origin: str) -> None:
    assert read_settings(cors_origins=told).cors_origins == (origin,)


def test_no_page_of_another_origin_may_bring_credentials(tmp_path: Path) -> None:
    for allowed in (FRIEND, "*"):
        with serving(tmp_path, cors_origins=allowed) as server:
            answers = [
                httpx.get(f"{server.base_url}/api/runs", headers={"Origin": FRIEND}),
                preflight(server.base_url, FRIEND),
            ]

        assert [answer.headers["access-control-allow-origin"] for answer in answers] == [allowed] * 2
        assert not any("access-control-allow-credentials" in answer.headers for answer in answers)


def test_long_answers_are_packed_for_those_who_take_it(server: LoopbackServer) -> None:
    address = f"{server.base_url}/api/runs/{TRAINED}/metrics/windows"

    packed = httpx.get(address, headers={"Accept-Encoding": "gzip"})
    plain = httpx.get(address, headers={"Accept-Encoding": "identity"})
    small = httpx.get(f"{server.base_url}/health", headers={"Accept-Encoding": "gzip"})

    assert packed.headers["content-encoding"] == "gzip"
    assert "Accept-Encoding" in packed.headers["vary"].split(", ")
    assert int(packed.headers["content-length"]) < int(plain.headers["content-length"]) / 2
    assert "content-encoding" not in plain.headers
    assert "content-encoding" not in small.headers
    assert packed.content == plain.content


def test_a_body_beyond_the_limit_is_not_read(server: LoopbackServer) -> None:
    address = f"{server.base_url}/api/play/session"

    told = httpx.post(address, content=b"[" * (2 << 20), headers={"Content-Type": "application/json"})
    untold = httpx.post(
        address,
        content=(b"[" * 4096 for _ in range(512)),  # without a length in front
        headers={"Content-Type": "application/json"},
    )

    for answer in (told, untold):
        assert answer.status_code == 413
        assert "more than 1048576 bytes" in answer.json()["detail"]


@pytest.mark.parametrize("body", [b"\xff\xfe", b"[" * 50_000, b"{", b'{"seed": NaN}', b'{"seed": 1e999}', b"[]", b"1"])
def test_a_body_that_is_no_json_of_ours_is_refused(body: bytes, server: LoopbackServer) -> None:
    answer = httpx.post(
        f"{server.base_url}/api/play/session", content=body, headers={"Content-Type": "application/json"}
    )

    assert answer.status_code == 422
    assert isinstance(answer.json()["detail"], str)


def test_figures_name_templates_and_not_what_was_asked_for(server: LoopbackServer) -> None:
    for number in range(3):
        httpx.get(f"{server.base_url}/api/runs/unknown-{number}")
    httpx.get(f"{server.base_url}/api/no/such/thing")
    httpx.request("PROPFIND", f"{server.base_url}/health")

    answer = httpx.get(f"{server.base_url}/metrics")

    assert answer.headers["content-type"].startswith("text/plain")
    assert 'diorama_http_requests_total{method="GET",route="/api/runs/{run_id}",status="404"}' in answer.text
    assert 'diorama_http_request_seconds_bucket{le="0.02",method="GET",route="/api/runs/{run_id}"}' in answer.text
    assert 'method="other",route="/health",status="405"' in answer.text
    assert "unknown-1" not in answer.text
    assert "/api/no/such/thing" not in answer.text
    for name in ("diorama_open_streams", "diorama_play_sessions", "process_resident_memory_bytes"):
        assert name in answer.text


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        pytest.param("DIORAMA_CORS_ORIGIN_REGEX", "(", "no regular expression", id="regex"),
        pytest.param("DIORAMA_CORS_ORIGINS", "https://a.example,b.example", "'b.example' is no origin", id="no-scheme"),
        pytest.param("DIORAMA_CORS_ORIGINS", "https://a.example/watch", "is no origin", id="path"),
        pytest.param("DIORAMA_CORS_ORIGINS", "https://me@a.example", "is no origin", id="somebody"),
        pytest.param("DIORAMA_CORS_ORIGINS", "https://a.example:port", "is no origin", id="port"),
        pytest.param("DIORAMA_HOSTS", "https://a.example", "is no name of a host", id="address-for-a-host"),
        pytest.param("DIORAMA_MAX_FOLLOWERS", "0", "greater than 0", id="limit"),
        pytest.param("DIORAMA_WANDB_CACHE_TTL_SECONDS", "soon", "number", id="seconds"),
    ],
)
def test_a_wrong_variable_is_named(name: str, value: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)

    with pytest.raises(ConfigError, match=f"{name}: .*{words}"):
        read_settings()


def test_flags_beat_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIORAMA_RUNS_ROOT", "from-environment")
    monkeypatch.setenv("DIORAMA_CORS_ORIGINS", "http://a.example,http://b.example/")

    told, flagged = read_settings(), read_settings(runs_root=Path("flag"), cors_origins="")

    assert told.runs_root == Path("from-environment")
    assert told.cors_origins == ("http://a.example", "http://b.example")
    assert (flagged.runs_root, flagged.cors_origins) == (Path("flag"), ())
