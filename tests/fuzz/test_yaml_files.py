"""YAML from people: presets, configurations, sweeps, task files, tables, and values on the command line."""

from collections.abc import Callable
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import example, given

from diorama.cli.live.service_settings import chosen_settings
from diorama.cli.options import parse_settings
from diorama.contracts.config import parse_config
from diorama.contracts.errors import ConfigError
from diorama.operate.live.config_files import read_mapping
from diorama.scale.sweeps.spec import first_choice, read_spec
from diorama.storage.yaml_text import MAX_BYTES, parse_yaml
from diorama.training.presets import Layer, load_preset, settings_of
from diorama.worlds.gameboy.envs.tasks.reading import load_task
from diorama.worlds.registry import load_world
from diorama.worlds.tidebreak.content import load_content
from diorama.worlds.townlet.config.loading import load_config
from diorama.worlds.townlet.scenarios.loading import load_scenario
from diorama.worlds.townlet.scenarios.opening import open_scenario
from diorama.worlds.townlet.tables.compiling import load_tables
from tests.fuzz.damage import damaged_yaml, laughing
from tests.fuzz.effort import examples, read_or_refused

MERGED = laughing(12, "{{<<: [{0}, {0}, {0}, {0}, {0}, {0}, {0}, {0}]}}".format).replace("[x]", "{x: 1}")

SWEEP = """world: prospector
preset: quick
settings: {steps: 4096, optimizer.learning_rate: 0.001}
objective: {metric: return_mean}
method: tpe
stopping: median
trials: 4
space:
  ppo.update_epochs: {low: 1, high: 4, integer: true}
  ppo.num_minibatches: [1, 2]
"""
TASK = """watch: {x: 0xC0F0, y: 0xC0F1}
senses: [x, y]
rewards:
  - {rule: {byte_eq: {addr: x, v: 1}}, pay: 1}
  - {rule: {rising: {byte_eq: {addr: y, v: 2}}}, pay: 0.5}
terminate: [{bit_set: {addr: y, bit: 3}}]
events: {first: 0xC100, last: 0xC104}
"""
TOWN = """config_id: fuzzed
seed: 4
features: {stages: {relationships: A}, console: {mode: admin}}
economy: {meal_cost: 0.4, ingredients_cost: 0.15}
console_auth: {enabled: true, tokens: [{label: olga, role: admin, token: a-token-for-olga-0123}]}
telemetry: {transport: {type: none}}
rewards: {survival_tick: 0.002}
"""


def _shipped(package: str, name: str) -> str:
    return (resources.files(package) / name).read_text(encoding="utf-8")


def _preset(path: Path) -> None:
    settings_of([load_preset("prospector", str(path)), Layer(source="test", values={"world": "prospector"})])


def _sweep(path: Path) -> None:
    first_choice(read_spec(path))


def _live(path: Path) -> None:
    world = load_world("townlet")
    parse_config(world.id, world.config_type, read_mapping(path))


def _services(path: Path) -> None:
    world = load_world("prospector")
    chosen_settings(world, world.config_type(), path)


def _town(path: Path) -> None:
    load_tables(load_config(path), path.parent)


def _scenario(path: Path) -> None:
    open_scenario(load_scenario(path))


def _tables(path: Path) -> None:
    folder = path.parent / "content"
    folder.mkdir(exist_ok=True)
    (folder / "classes.yaml").write_bytes(path.read_bytes())
    (folder / "weapons.yaml").write_text(_shipped("diorama.worlds.tidebreak.content", "weapons.yaml"))
    load_content(folder)


READERS: list[tuple[str, str, Callable[[Path], object]]] = [
    ("preset", _shipped("diorama.worlds.prospector.presets", "default.yaml"), _preset),
    ("sweep", SWEEP, _sweep),
    ("task", TASK, lambda path: load_task.__wrapped__(str(path))),
    ("live", TOWN, _live),
    ("services", "telemetry: {transport: {type: none}}\nconsole: {rate_limit_per_minute: 5}\n", _services),
    ("town", TOWN, _town),
    ("scenario", _shipped("diorama.worlds.townlet.scenarios.suite", "queue_conflict.yaml"), _scenario),
    ("tables", _shipped("diorama.worlds.tidebreak.content", "classes.yaml"), _tables),
]


@pytest.mark.parametrize(("text", "read"), [pytest.param(text, read, id=name) for name, text, read in READERS])
def test_whatever_a_yaml_file_holds_it_is_read_or_refused(
    text: str, read: Callable[[Path], object], tmp_path: Path
) -> None:
    path = tmp_path / "given.yaml"
    path.write_text(text)
    read(path)  # whole, it is fine

    @examples(5, share=0.5)
    @given(data=damaged_yaml(text))
    @example(data=b"[" * 300)
    @example(data=laughing(12).encode())
    @example(data=b"&a [*a]")
    @example(data=MERGED.encode())
    @example(data=b"&a {<<: *a}")
    @example(data=b"x: !!int ''")
    @example(data=b"x: 2031-13-45")
    @example(data=b"\xff\xfe\x00")
    @example(data=b"")
    def check(data: bytes) -> None:
        path.write_bytes(data)
        with read_or_refused():
            read(path)

    check()


@examples(5)
@given(text=damaged_yaml("[1, 2]").map(lambda data: data.decode("utf-8", "replace")))
def test_whatever_stands_behind_an_equals_sign_is_read_or_refused(text: str) -> None:
    with read_or_refused():
        parse_settings([f"a.b={text}"])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param(laughing(12), "more than 1048576 values", id="billions"),
        pytest.param("&a [*a]", "holds itself", id="in-itself"),
        pytest.param("[" * 70 + "]" * 70, "deeper than 64 levels", id="deep"),
        pytest.param("[" * 600, "deeper than 64 levels", id="abyss"),
        pytest.param("a: 1\n" + "#" * MAX_BYTES, "more than 4194304 bytes", id="long"),
        pytest.param("x: !!int ''", "means nothing", id="empty-number"),
        pytest.param("x: 2031-13-45", "means nothing", id="no-day"),
        pytest.param("!!python/object/apply:os.system [true]", "must be YAML", id="code"),
    ],
)
def test_yaml_is_bounded_and_plain(text: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        parse_yaml(text, "given.yaml")


def test_aliases_are_fine_where_they_repeat_a_little() -> None:
    document = parse_yaml("a: &a {x: 1}\nb: *a\nc: [*a, *a]\n", "given.yaml")

    assert document == {"a": {"x": 1}, "b": {"x": 1}, "c": [{"x": 1}, {"x": 1}]}
