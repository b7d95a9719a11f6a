"""The wheel and the source package, installed where nothing else is."""

import re
import zipfile
from importlib.metadata import version
from pathlib import Path

import httpx
import pytest

from tests.packaging.environments import ROOT, EmptyEnvironment

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]
STATIC = "diorama/server/static"
BOTS = {"prospector": "prudent_hauler", "tidebreak": "ambusher", "townlet": "scripted", "gameboy": "random"}
# A check wants results, not the fastest core.
QUICK_BUILD = {
    "CARGO_PROFILE_RELEASE_LTO": "false",
    "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "16",
    "CARGO_PROFILE_RELEASE_OPT_LEVEL": "1",
}


def test_the_wheel_carries_core_client_and_licences(wheel: Path) -> None:
    home = str(Path.home())
    with zipfile.ZipFile(wheel) as opened:
        names = set(opened.namelist())
        core = opened.read("diorama/_native.abi3.so")
        notices = opened.read(f"{STATIC}/THIRD_PARTY_NOTICES.txt").decode()
        told = {name for name in names if home.encode() in opened.read(name) or str(ROOT).encode() in opened.read(name)}

    number = version("diorama")
    assert wheel.name.startswith(f"diorama-{number}-cp311-abi3-")
    assert f"diorama-{number}.dist-info/licenses/LICENSE" in names
    built = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src" / STATIC).rglob("*") if path.is_file()}
    assert built - names == set()
    assert core.startswith(b"\x7fELF")
    assert "npm react " in notices
    assert "crate pyo3 " in notices
    assert told == set()
    assert not {name for name in names if name.endswith((".pyc", ".rs")) or name.startswith(("tests/", "tools/"))}


def test_the_wheel_alone_plays_and_checks_worlds(wheel: Path, empty: EmptyEnvironment) -> None:
    empty.install(str(wheel))

    assert empty.run("diorama", "--version") == f"diorama {version('diorama')}\n"
    assert "prospector" in empty.run("diorama", "worlds")
    assert empty.run("diorama", "doctor", code=1).count(" runs\n") == 2 * len(BOTS)
    for world, bot in BOTS.items():
        assert "fast tier" in empty.run("diorama", "rollout", world, "--bot", bot, "--seed", "7")
    assert "prospector" in empty.run("diorama", "check-world", "prospector")
    code = "import diorama; print(diorama.make('prospector', copies=2, tier='fast', seed=1).tier_selected)"
    assert empty.run("python", "-c", code) == "fast\n"
    unfit = empty.run("diorama", "rollout", "morphogenesis", "--bot", "random", code=2)
    assert "diorama[morphogenesis]" in unfit
    assert "diorama[learn]" in empty.run("diorama", "train", "prospector", "--preset", "quick", code=2)
    assert "diorama[export]" in empty.run("diorama", "export", "first", code=2)
    assert "diorama[serve]" in empty.run("diorama", "serve", code=2)


def test_the_wheel_with_extras_trains_and_serves(wheel: Path, empty: EmptyEnvironment) -> None:
    empty.install(f"{wheel}[learn,morphogenesis,serve]")
    empty.run("diorama", "doctor")
    assert "fast tier" in empty.run("diorama", "rollout", "morphogenesis", "--bot", "random", "--seed", "7")
    empty.run("diorama", "train", "prospector", "--preset", "quick", "--run-id", "first")
    assert (empty.folder / "runs" / "first" / "run_metadata.json").is_file()

    with empty.running("diorama", "serve", "--port", "0", until="Diorama is at") as line:
        address = line.split()[-1]
        page = httpx.get(f"{address}/")
        scripts = re.findall(r'import\("(/assets/[^"]+\.js)"\)', page.text)
        script = httpx.get(f"{address}{scripts[0]}")
        [run] = httpx.get(f"{address}/api/runs").json()["runs"]
        notices = httpx.get(f"{address}/THIRD_PARTY_NOTICES.txt")
        assert "frames over WebSocket" in empty.run("diorama", "smoke", "--backend", address, "--skip-wandb")

    assert "<title>Diorama</title>" in page.text
    assert script.headers["content-type"].startswith("text/javascript")
    assert run["run_id"] == "first"
    assert notices.status_code == 200


def test_the_source_package_builds_a_wheel_by_itself(dist: Path, empty: EmptyEnvironment) -> None:
    [package] = dist.glob("*.tar.gz")

    empty.install(str(package), QUICK_BUILD)

    code = "import diorama.native; print(diorama.make('tidebreak', tier='fast', seed=1).tier_selected)"
    assert empty.run("python", "-c", code) == "fast\n"
    installed = empty.run(
        "python", "-c", "import diorama, pathlib; print(pathlib.Path(diorama.__file__).parent)"
    ).strip()
    assert (Path(installed) / "server" / "static" / "index.html").is_file()
    assert not Path(installed).is_relative_to(ROOT)
