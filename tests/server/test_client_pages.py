"""The web client's files, its deep links, and what is shown while it was never built."""

import base64
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from diorama.server.page_policy import PagePolicy
from tests.server.loopback import serving

INDEX = "<!doctype html><title>the client</title><script>let seen = 1;</script>"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[httpx.Client]:
    built = tmp_path / "client"
    (built / "assets" / "prospector").mkdir(parents=True)
    (built / "index.html").write_text(INDEX)
    (built / "favicon.svg").write_text("<svg/>")
    (built / "assets" / "index-abc123.js").write_text("export {};" * 500)
    (built / "assets" / "runtime-abc123.wasm").write_bytes(bytes(4096))
    (built / "assets" / "prospector" / "graphics_manifest.json").write_text("{}")
    (built / "assets" / "prospector" / "atlases").mkdir()
    (built / "assets" / "prospector" / "atlases" / "things-0a1b2c3d.svg").write_text("<svg/>")
    (built / "assets" / "prospector" / "ship.svg").write_text("<svg/>")
    (tmp_path / "secret.txt").write_text("secret")
    with (
        serving(tmp_path / "runs", client_dir=built) as server,
        httpx.Client(base_url=server.base_url) as opened,
    ):
        yield opened


@pytest.mark.parametrize(
    "path",
    ["/", "/watch", "/watch/run.v1/replay-000001-0a0b0c0d?t=4", "/play", "/analytics", "/study", "/operate", "/play/"],
)
def test_every_page_begins_with_the_same_document(path: str, client: httpx.Client) -> None:
    answer = client.get(path)

    assert (answer.status_code, answer.text) == (200, INDEX)
    assert answer.headers["cache-control"] == "no-cache"


def test_pages_run_their_own_scripts_alone(client: httpx.Client) -> None:
    policy = dict(part.split(" ", 1) for part in client.get("/watch").headers["content-security-policy"].split("; "))

    digest = base64.b64encode(hashlib.sha256(b"let seen = 1;").digest()).decode()
    assert policy["script-src"] == f"'self' 'wasm-unsafe-eval' 'sha256-{digest}'"
    assert policy["frame-ancestors"] == policy["object-src"] == "'none'"
    assert policy["connect-src"] == "'self' data: blob:"


def test_pages_may_follow_the_live_world_the_server_points_at(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(INDEX)

    policy = PagePolicy("https://town.example:8001/deep").of(tmp_path / "index.html")

    assert "connect-src 'self' data: blob: https://town.example:8001 wss://town.example:8001;" in policy
    numbered = PagePolicy("http://[::1]:8001").of(tmp_path / "index.html")
    assert "connect-src 'self' data: blob: http: ws:;" in numbered


def test_pages_may_ask_the_server_they_were_built_for(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(f'<meta name="diorama-server" content="https://api.example/deep">{INDEX}')

    text = PagePolicy("https://api.example:8001").of(tmp_path / "index.html")

    policy = dict(part.split(" ", 1) for part in text.split("; "))
    asked = "https://api.example wss://api.example https://api.example:8001 wss://api.example:8001"
    assert policy["connect-src"] == f"'self' data: blob: {asked}"
    assert policy["img-src"] == policy["media-src"] == "'self' data: blob: https://api.example"
    assert policy["script-src"].split()[:2] == ["'self'", "'wasm-unsafe-eval'"]


def test_a_client_that_was_built_again_has_another_policy(tmp_path: Path) -> None:
    index = tmp_path / "index.html"
    index.write_text(INDEX)
    policy = PagePolicy(None)
    before = policy.of(index)
    index.write_text(INDEX.replace("seen = 1", "seen = 2"))
    os.utime(index, ns=(0, 0))

    assert policy.of(index) != before


@pytest.mark.parametrize("path", ["/", "/health", "/api/runs", "/api/nothing", "/assets/index-abc123.js"])
def test_browsers_are_told_to_be_cautious_with_every_answer(path: str, client: httpx.Client) -> None:
    headers = client.get(path).headers

    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"


def test_an_address_a_person_mistyped_is_left_to_the_client(client: httpx.Client) -> None:
    assert client.get("/nowhere", headers={"Accept": "text/html"}).text == INDEX


def test_files_are_served_with_how_long_they_may_be_kept(client: httpx.Client) -> None:
    script = client.get("/assets/index-abc123.js")
    manifest = client.get("/assets/prospector/graphics_manifest.json")

    assert script.headers["content-type"].startswith("text/javascript")
    assert "immutable" in script.headers["cache-control"]
    assert script.headers["content-encoding"] == "gzip"
    assert script.text == "export {};" * 500
    assert (manifest.status_code, manifest.headers["cache-control"]) == (200, "no-cache")
    again = client.get("/assets/prospector/graphics_manifest.json", headers={"If-None-Match": manifest.headers["etag"]})
    assert again.status_code == 304
    sheet, picture = (client.get(f"/assets/prospector/{name}") for name in ("atlases/things-0a1b2c3d.svg", "ship.svg"))
    assert "immutable" in sheet.headers["cache-control"]
    assert picture.headers["cache-control"] == "public, max-age=3600"


@pytest.mark.parametrize(
    "path",
    [
        "/assets/missing.js",
        "/favicon.ico",
        "/..%2Fsecret.txt",
        "/%2e%2e/secret.txt",
        "/assets/../../secret.txt",
        "/%00",
    ],
)
def test_a_file_that_is_not_there_is_told(path: str, client: httpx.Client) -> None:
    answer = client.get(path)

    assert answer.status_code == 404
    assert "secret" not in answer.text.replace("secret.txt", "")


def test_the_interface_is_never_taken_for_a_page(client: httpx.Client) -> None:
    answer = client.get("/api/watch", headers={"Accept": "text/html"})

    assert answer.status_code == 404
    assert "/api/openapi.json" in answer.json()["detail"]


def test_a_client_that_was_never_built_is_told_as_a_page(tmp_path: Path) -> None:
    with serving(tmp_path, client_dir=tmp_path / "none") as server:
        page = httpx.get(f"{server.base_url}/watch/a/b")
        health = httpx.get(f"{server.base_url}/health")

    assert page.status_code == 503
    assert page.headers["content-type"].startswith("text/html")
    assert "npm run build" in page.text
    assert health.status_code == 200


def test_a_program_comes_packed_and_as_what_browsers_compile_while_they_read(client: httpx.Client) -> None:
    program = client.get("/assets/runtime-abc123.wasm")

    assert (program.headers["content-type"], program.headers["content-encoding"]) == ("application/wasm", "gzip")
    assert "immutable" in program.headers["cache-control"]
    assert program.content == bytes(4096)
