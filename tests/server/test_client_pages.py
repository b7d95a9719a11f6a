"""The web client's files, its deep links, and what is shown while it was never built."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.server.loopback import serving

INDEX = "<!doctype html><title>the client</title>"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[httpx.Client]:
    built = tmp_path / "client"
    (built / "assets" / "prospector").mkdir(parents=True)
    (built / "index.html").write_text(INDEX)
    (built / "favicon.svg").write_text("<svg/>")
    (built / "assets" / "index-abc123.js").write_text("export {};" * 500)
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
