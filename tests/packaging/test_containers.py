"""Every command of the container recipes, carried out: by an engine where there is one, else on a bare machine."""

import json
import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.packaging.bare_machines import Volume, can_be_made
from tests.packaging.environments import ROOT
from tests.packaging.images import Image, build
from tests.packaging.recipes import services

TOKEN = "0123456789abcdef0123456789abcdef"
GIVEN = {"DIORAMA_CONSOLE_TOKEN": TOKEN, "DIORAMA_LIVE_ADDRESS": "http://127.0.0.1:8001"}
SMOKE = "diorama smoke --skip-wandb --backend http://127.0.0.1:8000"
COMMAND = "diorama console price meal_cost 0.8"
DEFAULT_TRAINING_SECONDS = 60
pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]
# Waits for the health of a service, looks at it, stops it as an engine does, and ends as it ends.
VISIT = """
"$@" &
service=$!
for _ in $(seq 120); do
    {health} 2>/tmp/unhealthy && break
    kill -0 $service || exit 1
    sleep 1
done
{health} || exit 1
{probe} || exit 1
kill -TERM $service
wait $service
"""


@pytest.fixture(scope="module")
def bare() -> None:
    """Needs a process that may make bare machines."""
    if not can_be_made():
        pytest.skip("making a bare machine needs root and mounts")


@pytest.fixture(scope="module")
def volumes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the services share."""
    return tmp_path_factory.mktemp("volumes")


@pytest.fixture(scope="module")
def trainer(bare: None, dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Image]:
    """The image of the trainer."""
    folder = tmp_path_factory.mktemp("trainer")
    yield build(ROOT / "containers" / "trainer.Dockerfile", folder)
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def server(bare: None, dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Image]:
    """The image of the server."""
    folder = tmp_path_factory.mktemp("server")
    yield build(ROOT / "containers" / "server.Dockerfile", folder)
    shutil.rmtree(folder)


def run_service(image: Image, service: dict[str, Any], volumes: Path, *, probe: str | None = None) -> str:
    """Run a service of the compose file to its end, or until it was found healthy and probed."""
    words = [*image.entrypoint, *service.get("command", image.command)]
    if probe is not None:
        told = service.get("healthcheck")
        health = image.health if told is None else told["test"][1:]
        assert health is not None
        words = ["sh", "-c", VISIT.format(health=shlex.join(health), probe=probe), "sh", *words]
    done = image.machine.run(
        words,
        volumes=[mounted(image, text, volumes) for text in service["volumes"]],
        environment={name: value or "" for name, value in service.get("environment", {}).items()},
        is_sealed=service.get("read_only", False),
        is_online=False,
    )
    assert done.returncode == 0, f"{words} ended with {done.returncode}:\n{done.stdout}"
    return done.stdout


def mounted(image: Image, text: str, volumes: Path) -> Volume:
    """Return a volume of the compose file; a new one belongs to whom its place in the image belongs."""
    name, target, *options = text.split(":")
    folder = volumes / name
    if not folder.exists():
        folder.mkdir()
        os.chown(folder, *image.machine.owner(target))
    return Volume(folder, target, is_read_only="ro" in options)


def test_the_trainer_leaves_a_run_that_the_server_shows(trainer: Image, server: Image, volumes: Path) -> None:
    told = services(GIVEN)

    run_service(trainer, told["train"], volumes)
    [run] = (volumes / "runs").iterdir()
    assert json.loads((run / "run_metadata.json").read_text())["status"] == "completed"
    assert (run / "run_metadata.json").stat().st_uid == 10001

    seen = run_service(server, told["serve"], volumes, probe=SMOKE)
    assert "FAIL" not in seen
    assert "frames over WebSocket" in seen


def test_the_live_town_obeys_whoever_has_the_token(server: Image, volumes: Path) -> None:
    town = services(GIVEN)["live"]

    answer = run_service(server, town, volumes, probe=COMMAND)
    assert "stopped at tick" in answer
    assert TOKEN not in answer
    with pytest.raises(AssertionError, match="nobody may command it"):
        run_service(server, services({})["live"], volumes, probe=COMMAND)


def test_images_do_something_useful_when_they_are_just_run(trainer: Image, server: Image) -> None:
    began = ["timeout", "--signal=INT", str(DEFAULT_TRAINING_SECONDS), *trainer.entrypoint, *trainer.command]
    training = trainer.machine.run(began, is_online=False)
    [run] = trainer.machine.inside("/data/runs").iterdir()
    assert (run / "run_metadata.json").is_file(), training.stdout

    assert "Diorama is at" in run_service(server, {"volumes": []}, Path(), probe="true")


def test_what_starts_from_the_trainer_installs_without_another_user(trainer: Image) -> None:
    trainer.carry_out("RUN", "pip install --no-index --no-deps --force-reinstall /opt/wheel/*.whl && diorama --version")

    assert trainer.machine.user == "diorama"


def test_an_engine_builds_and_runs_all_of_it(dist: Path) -> None:
    compose = ["docker", "compose", "--project-name", "diorama-test", "--profile", "live"]
    for probe in (["docker", "info"], ["docker", "compose", "version"]):
        if shutil.which("docker") is None or subprocess.run(probe, capture_output=True).returncode:
            pytest.skip(f"no container engine answers: {' '.join(probe)}")

    def call(*words: str) -> None:
        subprocess.run([*compose, *words], cwd=ROOT, env={**os.environ, **GIVEN}, check=True)

    try:
        call("build")
        call("run", "--rm", "train")
        call("up", "--wait", "serve", "live")
        call("exec", "serve", *SMOKE.split())
        call("exec", "live", *COMMAND.split())
    finally:
        call("down", "--volumes")
