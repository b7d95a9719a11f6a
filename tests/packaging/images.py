"""Images without an engine: the instructions of a recipe, carried out on a bare machine."""

import shutil
from dataclasses import dataclass, field
from pathlib import Path

from tests.packaging.bare_machines import BareMachine
from tests.packaging.environments import ROOT
from tests.packaging.recipes import assignments, expand, read_recipe, words_of


@dataclass(slots=True)
class Image:
    """A machine on which a recipe was carried out, and how its programs are called."""

    machine: BareMachine
    entrypoint: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)
    health: list[str] | None = None
    arguments: dict[str, str] = field(default_factory=dict)

    def carry_out(self, word: str, body: str) -> None:
        """Carry out one instruction."""
        machine, known = self.machine, {**self.machine.environment, **self.arguments}
        match word:
            case "FROM":
                assert expand(body, known), "the recipe starts from nothing"
            case "ARG":
                name, _, default = body.partition("=")
                self.arguments[name] = default
            case "ENV":
                machine.environment.update(assignments(body, known))
            case "RUN":
                done = machine.run(["sh", "-c", body], environment=self.arguments)
                assert done.returncode == 0, f"RUN {body}\nended with {done.returncode}:\n{done.stdout}"
            case "COPY":
                *sources, target = expand(body, known).split()
                self._copy(sources, machine.inside(target))
            case "USER":
                machine.user = body
            case "WORKDIR":
                machine.inside(body).mkdir(parents=True, exist_ok=True)
                machine.folder = body
            case "HEALTHCHECK":
                self.health = None if body == "NONE" else words_of(body.removeprefix("CMD "))
            case "ENTRYPOINT":
                self.entrypoint = words_of(body)
            case "CMD":
                self.command = words_of(body)
            case "EXPOSE":
                assert body.isdecimal()

    def _copy(self, sources: list[str], target: Path) -> None:
        target.mkdir(parents=True, exist_ok=True)
        for pattern in sources:
            found = sorted(ROOT.glob(pattern))
            assert found, f"COPY {pattern}: there is no such file"
            for path in found:
                shutil.copy(path, target)


def build(recipe: Path, folder: Path) -> Image:
    """Carry out a recipe on a machine below a folder."""
    machine = BareMachine(folder)
    machine.prepare()
    image = Image(machine)
    for instruction in read_recipe(recipe):
        image.carry_out(instruction.word, instruction.body)
    return image
