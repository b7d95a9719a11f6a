"""Help, version and completion load no command; a command loads nothing but itself."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from diorama.cli.app import app
from diorama.cli.entries import ENTRIES
from diorama.cli.on_demand import Entry, OnDemandGroup
from diorama.worlds.registry import own_world_ids
from tests.runs.factories import empty_run, recorded

HEAVY: Final = ("rich", "gymnasium", "numpy", "pydantic", "torch", "yaml", "PIL", "textual", "msgspec", "fastapi")
LIGHT: Final = {
    f"diorama.cli.{name}"
    for name in ("app", "entries", "groups", "help_page", "on_demand", "parameters", "usage_words")
}
ARITHMETIC: Final = ("gymnasium", "numpy", "torch")
PROGRAM: Final = """
import sys
try:
    from diorama.cli.app import main
    main()
finally:
    print(*sorted(sys.modules), file=sys.stderr)
"""


def loaded_by(*arguments: str, **environment: str) -> tuple[str, set[str]]:
    """Return what a fresh interpreter prints for a command line, and the modules it has loaded."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments], env=os.environ | environment, capture_output=True, text=True
    )
    return done.stdout, set(done.stderr.splitlines()[-1].split())


def pressing_tab(typed: str) -> dict[str, str]:
    return {"_DIORAMA_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" "))}


def worlds(modules: set[str]) -> set[str]:
    return {world_id for world_id in own_world_ids() if f"diorama.worlds.{world_id}" in modules}


def commands(modules: set[str]) -> set[str]:
    return {name for name in modules if name.startswith("diorama.cli.")}


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_what_is_listed_is_what_a_command_says_of_itself(entry: Entry) -> None:
    command = entry.loaded()

    assert command.name == entry.name
    assert isinstance(command, TyperCommand | TyperGroup)
    assert " ".join((command.help or "").partition("\n\n")[0].split()) == entry.summary
    assert "Examples:" in (command.epilog or "")


@pytest.mark.parametrize(
    ("arguments", "environment", "told"),
    [
        pytest.param(("--help",), {}, "Usage: diorama", id="help"),
        pytest.param((), {}, "Usage: diorama", id="nothing"),
        pytest.param(("--version",), {}, "diorama ", id="version"),
        pytest.param((), pressing_tab("diorama wo"), "worlds", id="completion"),
    ],
)
def test_nothing_is_loaded_before_a_command_is_called(
    arguments: tuple[str, ...], environment: dict[str, str], told: str
) -> None:
    said, modules = loaded_by(*arguments, **environment)

    assert told in said
    assert modules & set(HEAVY) == set()
    assert commands(modules) == LIGHT


def test_the_help_of_a_command_loads_no_other_and_nothing_heavy() -> None:
    said, modules = loaded_by("train", "--help")

    assert "diorama train prospector --processes 2" in said
    assert modules & set(HEAVY) == set()
    targets = {entry.name: entry.target.partition(":")[0] for entry in ENTRIES}
    assert targets["train"] in modules
    assert {target for name, target in targets.items() if name != "train"} & modules == set()


@pytest.mark.parametrize(
    ("arguments", "environment", "told"),
    [
        pytest.param(("worlds",), {}, "morphogenesis  A network grows", id="worlds"),
        pytest.param(("worlds", "--format", "json"), {}, '"morphogenesis"', id="world-ids"),
        pytest.param((), pressing_tab("diorama rollout pros"), "prospector", id="completed-world"),
    ],
)
def test_worlds_are_listed_without_loading_one(
    arguments: tuple[str, ...], environment: dict[str, str], told: str
) -> None:
    said, modules = loaded_by(*arguments, **environment)

    assert told in said
    assert worlds(modules) == set()
    assert modules & set(HEAVY) == {"pydantic"}, "which typer reads arguments with"


def test_runs_and_replays_are_listed_without_loading_a_world(tmp_path: Path) -> None:
    replay_id = recorded(empty_run(tmp_path, "my-run"), bot="idle", max_steps=2).replay_id
    root = str(tmp_path)

    listed, by_list = loaded_by("replay", "list", "my-run", DIORAMA_RUNS_ROOT=root)
    run, by_run = loaded_by(DIORAMA_RUNS_ROOT=root, **pressing_tab("diorama export my"))
    replay, by_replay = loaded_by(DIORAMA_RUNS_ROOT=root, **pressing_tab("diorama replay show my-run "))

    assert replay_id in listed
    assert (run.strip(), replay.strip()) == ("my-run", replay_id)
    for modules in (by_list, by_run, by_replay):
        assert worlds(modules) == set()
        assert modules & set(ARITHMETIC) == set()


@pytest.mark.parametrize("command", ["query", "inspect"])
def test_recorded_events_are_told_without_torch(command: str, tmp_path: Path) -> None:
    events = tmp_path / "events.jsonl"
    events.write_text('{"event_type": "no such kind"}\n')

    _, modules = loaded_by("morphogenesis", command, str(events))

    assert worlds(modules) == {"morphogenesis"}
    assert "torch" not in modules


def test_every_command_can_be_walked() -> None:
    program = get_command(app)
    assert isinstance(program, TyperGroup)
    context = typer.Context(program)

    walked = [program.get_command(context, name) for name in program.list_commands(context)]

    assert [command and command.name for command in walked] == [entry.name for entry in ENTRIES]


def test_a_command_that_could_not_be_loaded_is_loaded_when_it_is_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    group = get_command(app)
    assert isinstance(group, OnDemandGroup)
    context = typer.Context(group)
    with monkeypatch.context() as broken:
        broken.setattr(Entry, "loaded", _fail)
        with pytest.raises(ImportError):
            group.get_command(context, "worlds")

    assert group.get_command(context, "worlds").params, "the command, not what lists show of it"


def _fail(_: Entry) -> None:
    raise ImportError("a package is broken")
