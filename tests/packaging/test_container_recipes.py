"""What the container recipes promise, read from them; `test_containers.py` runs them."""

import re
from pathlib import Path

import pytest
import yaml

from tests.packaging.environments import ROOT
from tests.packaging.recipes import COMPOSE, RECIPES, assignments, expand, is_sent, read_recipe, services, words_of

EXACT = re.compile(r"[\w./-]+:\d+\.\d+\.\d+-[\w.-]+")
EVERY_RECIPE = pytest.mark.parametrize("recipe", RECIPES, ids=lambda path: path.stem)


def bodies(recipe: Path, word: str) -> list[str]:
    return [instruction.body for instruction in read_recipe(recipe) if instruction.word == word]


@EVERY_RECIPE
def test_versions_are_pinned(recipe: Path) -> None:
    arguments = dict(body.split("=", 1) for body in bodies(recipe, "ARG"))
    bases = [expand(body, arguments) for body in bodies(recipe, "FROM")]
    installs = [body for body in bodies(recipe, "RUN") if "pip install" in body]

    assert [base for base in bases if not EXACT.fullmatch(base)] == []
    assert installs
    assert all("--constraint /opt/wheel/constraints.txt" in body for body in installs)
    assert [line for line in (ROOT / "constraints.txt").read_text().split() if "==" not in line] == []


@EVERY_RECIPE
def test_programs_run_as_nobody_special(recipe: Path) -> None:
    words = [instruction.word for instruction in read_recipe(recipe)]

    assert bodies(recipe, "USER") == ["diorama"]
    assert "RUN" not in words[words.index("USER") :]


def test_images_that_start_from_the_trainer_install_as_its_user_and_servers_cannot_change_themselves() -> None:
    installs = {
        recipe.name: next(body for body in bodies(recipe, "RUN") if "pip install" in body).split(" && ")
        for recipe in RECIPES
    }

    # In the step that made the files: another step would store all of them a second time.
    assert installs["trainer.Dockerfile"][-1].split() == ["chown", "--recursive", "diorama:diorama", "/opt/diorama"]
    assert not [step for step in installs["server.Dockerfile"] if step.startswith("chown")]


@EVERY_RECIPE
def test_images_try_what_they_are_for_while_they_are_built(recipe: Path) -> None:
    assert "python -c" in bodies(recipe, "RUN")[-1]
    assert len(bodies(recipe, "HEALTHCHECK")) == 1
    assert words_of(bodies(recipe, "ENTRYPOINT")[0]) == ["diorama"]


@EVERY_RECIPE
def test_engines_are_sent_what_recipes_copy_and_nothing_else(recipe: Path) -> None:
    [copied] = bodies(recipe, "COPY")

    assert copied.split()[:-1] == ["constraints.txt", "dist/*.whl"]
    assert is_sent("constraints.txt")
    assert is_sent("dist/diorama-1.0-cp311-abi3-any.whl")
    for other in (".git/config", ".venv/pyvenv.cfg", "runs/first/run_metadata.json", "dist/diorama-1.0.tar.gz", ".env"):
        assert not is_sent(other)


def test_servers_read_runs_and_write_elsewhere() -> None:
    for name in ("serve", "live"):
        service = services({})[name]
        assert "runs:/data/runs:ro" in service["volumes"]
        assert service["read_only"] is True
        assert all(port.startswith("127.0.0.1:") for port in service["ports"])


def test_images_can_be_replaced_and_secrets_come_from_outside() -> None:
    plain = services({})
    told = services({"TRAINER_IMAGE": "registry.example/trainer:7", "DIORAMA_CONSOLE_TOKEN": "0123456789abcdef"})

    assert plain["train"]["image"] == "diorama-trainer"
    assert told["train"]["image"] == "registry.example/trainer:7"
    assert plain["live"]["environment"]["DIORAMA_CONSOLE_TOKEN"] in ("", None)
    assert told["live"]["environment"]["DIORAMA_CONSOLE_TOKEN"] == "0123456789abcdef"
    assert plain["live"]["profiles"] == ["live"]


def test_every_service_is_built_by_a_recipe_and_every_volume_exists() -> None:
    document = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))
    for service in document["services"].values():
        assert ROOT / service["build"]["dockerfile"] in RECIPES
        for volume in service["volumes"]:
            assert volume.split(":")[0] in document["volumes"]


def test_values_are_put_in_as_engines_do() -> None:
    assert expand("a ${B} $C ${D:-e} ${F:-g}", {"B": "1", "C": "2", "F": "3"}) == "a 1 2 e 3"
    assert assignments('A=1 B="two words" C=${A}', {"A": "x"}) == {"A": "1", "B": "two words", "C": "x"}
