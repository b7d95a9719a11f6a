"""A server and a live town behind the proxies of the guide, over TLS; and the client on a host of its own."""

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from diorama.server.page_policy import PagePolicy
from tests.packaging import proxies
from tests.packaging.environments import ROOT
from tests.packaging.proxies import Certificate, free_port
from tests.packaging.test_deploy_guide import parts
from tests.runs.factories import empty_run, prospector, recorded
from tests.server.loopback import serving

TOKEN = "0123456789abcdef0123456789abcdef"
WORLDS, LIVE, WATCH = "worlds.example", "live.worlds.example", "watch.example"
CLIENT = ROOT / "src" / "diorama" / "server" / "static"
pytestmark = pytest.mark.slow


@dataclass(frozen=True, slots=True)
class Site:
    """What stands behind TLS on one port."""

    port: int
    plain_port: int | None
    certificate: Certificate

    def get(self, host: str, path: str, **headers: str) -> httpx.Response:
        """Ask one of its hosts, which is found without asking for its name."""
        with httpx.Client(verify=self.certificate.trusted(), timeout=30) as client:
            address = f"https://127.0.0.1:{self.port}{path}"
            return client.get(
                address, headers={"Host": f"{host}:{self.port}", **headers}, extensions={"sni_hostname": host}
            )

    def origin(self, host: str) -> str:
        return f"https://{host}:{self.port}"

    def open(self, host: str, path: str, origin: str) -> ClientConnection:
        return connect(
            f"wss://{host}:{self.port}{path}",
            sock=socket.create_connection(("127.0.0.1", self.port)),
            ssl=self.certificate.trusted(),
            origin=Origin(origin),
            open_timeout=30,
        )


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """For every name of the guide."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    return Certificate.make(tmp_path_factory.mktemp("certificate"))


@pytest.fixture(scope="module")
def replay(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A root with a run, and the replay in it."""
    root = tmp_path_factory.mktemp("runs")
    made = recorded(empty_run(root, "first"), bot="idle", venue=prospector(time_max=5000.0), max_steps=300)
    return root, made.replay_id


@contextmanager
def live_town(root: Path, port: int, *origins: str) -> Iterator[None]:
    told = {
        **os.environ,
        "DIORAMA_CONSOLE_TOKEN": TOKEN,
        "DIORAMA_HOSTS": LIVE,
        "DIORAMA_CORS_ORIGINS": ",".join(origins),
    }
    words = ["live", "townlet", "--port", str(port), "--root", str(root)]
    with proxies.running([sys.executable, "-m", "diorama", *words], port, told):
        yield


def site_for(
    kind: str, text: str, *, port: int, plain: int, upstreams: tuple[int, int], key: Certificate, folder: Path
) -> list[str]:
    """Return how a proxy is started as the guide says, with names kept, and ports and certificates of this test."""
    for wanted, given in zip(("127.0.0.1:8000", "127.0.0.1:8001"), upstreams, strict=True):
        assert wanted in text
        text = text.replace(wanted, f"127.0.0.1:{given}")
    if kind == "nginx":
        text = text.replace("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;").replace(
            "listen 80;", f"listen 127.0.0.1:{plain};"
        )
        text = text.replace("/etc/ssl/worlds.example.pem", str(key.file)).replace(
            "/etc/ssl/worlds.example.key", str(key.key)
        )
        return proxies.nginx(text, folder)
    for host in (WORLDS, LIVE):
        text = text.replace(f"\n{host} {{\n", f"\nhttps://{host}:{port} {{\n  tls {key.file} {key.key}\n")
    return proxies.caddy(text, folder)


@pytest.fixture(scope="module", params=["nginx", "caddy"])
def site(
    request: pytest.FixtureRequest,
    certificate: Certificate,
    replay: tuple[Path, str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Site]:
    """A server and a live town, behind a proxy."""
    kind: str = request.param
    if shutil.which(kind) is None:
        pytest.skip(f"{kind} is not installed")
    folder, port, plain, town_port = tmp_path_factory.mktemp(kind), free_port(), free_port(), free_port()
    text = parts(kind)[0]
    with ExitStack() as stack:
        server = stack.enter_context(serving(replay[0], hosts=WORLDS, live_address=f"https://{LIVE}:{port}"))
        stack.enter_context(live_town(folder / "town", town_port, f"https://{WORLDS}:{port}"))
        upstreams = (int(server.base_url.rsplit(":", 1)[1]), town_port)
        command = site_for(kind, text, port=port, plain=plain, upstreams=upstreams, key=certificate, folder=folder)
        stack.enter_context(proxies.running(command, port))
        yield Site(port, plain if kind == "nginx" else None, certificate)


def test_pages_and_answers_pass_with_their_headers(site: Site, replay: tuple[Path, str]) -> None:
    page = site.get(WORLDS, f"/watch/first/{replay[1]}", Accept="text/html")
    runs = site.get(WORLDS, "/api/runs")

    assert "<title>Diorama</title>" in page.text
    assert page.headers["strict-transport-security"] == "max-age=31536000"
    assert f"wss://{LIVE}:{site.port}" in page.headers["content-security-policy"]
    assert [run["run_id"] for run in runs.json()["runs"]] == ["first"]


def test_replays_stream_to_the_page_and_to_no_other(site: Site, replay: tuple[Path, str]) -> None:
    path = f"/ws/runs/first/replays/{replay[1]}/frames"

    with site.open(WORLDS, path, site.origin(WORLDS)) as stream:
        told = [json.loads(message) for message in stream]
    with site.open(WORLDS, path, "https://evil.example") as refused:
        words = json.loads(refused.recv(timeout=30))

    assert told[-1]["type"] == "complete"
    assert sum(len(message.get("frames", ())) for message in told) == 300
    assert (words["type"], words["status_code"]) == ("error", 403)


def test_an_operator_commands_the_town(site: Site) -> None:
    payload = {"name": "price", "args": ["meal_cost", 2], "cmd_id": "o"}

    with site.open(LIVE, "/ws/v1/worlds/townlet/operator", site.origin(WORLDS)) as operator:
        operator.send(json.dumps({"type": "auth", "token": TOKEN}))
        operator.send(json.dumps({"type": "command", "payload": payload}))
        result = next(message for message in map(json.loads, operator) if message["type"] == "result")

    assert result["payload"]["status"] == "ok"


def test_visitors_without_tls_are_led_to_it(site: Site) -> None:
    if site.plain_port is None:
        pytest.skip("Caddy does so by itself, on a port that is fixed")

    led = httpx.get(f"http://127.0.0.1:{site.plain_port}/watch?x=1", headers={"Host": WORLDS})

    assert (led.status_code, led.headers["location"]) == (301, f"https://{WORLDS}/watch?x=1")


def test_a_static_host_serves_the_client_alone(certificate: Certificate, tmp_path: Path) -> None:
    if shutil.which("nginx") is None:
        pytest.skip("nginx is not installed")
    port, policy = free_port(), PagePolicy(None).of(CLIENT / "index.html")
    text = parts("nginx")[1].replace("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;").replace('"..."', f'"{policy}"')
    text = text.replace("/etc/ssl/watch.example.pem", str(certificate.file)).replace("/srv/diorama-client", str(CLIENT))
    command = proxies.nginx(text.replace("/etc/ssl/watch.example.key", str(certificate.key)), tmp_path)
    script = next((CLIENT / "assets").glob("*.js")).name

    with proxies.running(command, port):
        host = Site(port, None, certificate)
        page = host.get(WATCH, "/watch/some-run/some-replay")
        program = host.get(WATCH, f"/assets/{script}")
        missing = host.get(WATCH, "/assets/nothing.js")

    assert page.text == (CLIENT / "index.html").read_text(encoding="utf-8")
    assert page.headers["content-security-policy"] == policy
    assert page.headers["cache-control"] == "no-cache"
    assert (program.status_code, program.headers["cache-control"]) == (200, "max-age=31536000")
    assert missing.status_code == 404


def test_a_smoke_test_passes(site: Site) -> None:
    if site.plain_port is None:
        pytest.skip("Caddy knows hosts by their names alone, and these are found nowhere")
    words = ["smoke", "--skip-wandb", "--backend", f"https://127.0.0.1:{site.port}"]
    trusting = {**os.environ, "SSL_CERT_FILE": str(site.certificate.file)}

    done = subprocess.run([sys.executable, "-m", "diorama", *words], env=trusting, capture_output=True, text=True)

    assert done.returncode == 0, done.stdout + done.stderr
