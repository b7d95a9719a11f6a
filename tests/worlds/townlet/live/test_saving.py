import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from diorama.contracts.errors import SnapshotError
from diorama.worlds.townlet.config import TownletConfig
from diorama.worlds.townlet.data.reading import read_shipped
from diorama.worlds.townlet.live.town import LiveTown
from tests.worlds.townlet.live.live_towns import LIVELY, Watched, watched
from tests.worlds.townlet.towns import config_of

Spoil = Callable[[dict[str, Any]], None]


def stored(live: Watched) -> dict[str, Any]:
    """A body as it comes back from a file."""
    document: dict[str, Any] = json.loads(json.dumps(live.live.save(), allow_nan=False))
    return document


def busy() -> Watched:
    """A town with everything in flight: events, a guest, a meeting, queues, somebody who is about to leave."""
    live = watched(LIVELY)
    live.command("spawn", "guest", name="A guest")
    live.command("set_rel", "citizen_000", "citizen_001", trust=0.5, rivalry=0.8)
    live.run(60)
    live.command("arrange_meet", ["citizen_000", "citizen_003"], duration=90)
    live.command("perturbation_trigger", "price_spike", starts_in=20, duration=50)
    live.command("utility", "water", "off", duration=30)
    live.command("set_exit_cap", 5)
    live.run(20)
    live.command("kill", "citizen_002")
    return live.run(3)


@pytest.mark.parametrize("ticks", [1, 50, pytest.param(1000, marks=pytest.mark.slow)])
def test_a_town_that_was_loaded_goes_on_as_if_nothing_had_happened(ticks: int) -> None:
    live = busy()
    body = stored(live)
    other = Watched(LiveTown(config_of(LIVELY), None, 99))

    other.live.load(body)
    begun = other.live.state_hash()
    live.run(ticks)
    other.run(ticks)

    assert stored(other) == stored(live)
    assert begun != other.live.state_hash() == live.live.state_hash()
    assert other.events == live.events[-len(other.events) :]
    assert other.narrations == live.narrations[-len(other.narrations) :]
    assert other.live.close_window() == live.live.close_window()
    assert other.live.identity == live.live.identity


def test_a_loaded_town_is_told_whole() -> None:
    live = busy()

    live.live.load(stored(live))
    state = live.live.blocks()

    assert set(state) >= {"agents", "objects", "map", "kpis"}
    agents: Any = state["agents"]
    assert agents["guest"]["name"] == "A guest"
    assert live.live.changes() == {}


def test_what_runs_goes_on_as_it_began_though_its_affordance_has_changed(tmp_path: Path) -> None:
    things: list[dict[str, Any]] = yaml.safe_load(read_shipped("town/core_affordances.yaml"))
    sleep = next(entry for entry in things if entry.get("id") == "rest_sleep")
    path = tmp_path / "town.yaml"
    path.write_text(yaml.safe_dump({"affordances": {"affordances_file": "things.yaml"}}))
    (tmp_path / "things.yaml").write_text(yaml.safe_dump(things))
    live = Watched(LiveTown(TownletConfig.model_validate(yaml.safe_load(path.read_text())), path, 3))
    while not any(state.spec is not None and state.spec.id == "rest_sleep" for state in live.live.town.objects):
        live.run(1)
    sleep["duration"] = sleep["duration"] + 40
    (tmp_path / "things.yaml").write_text(yaml.safe_dump(things))
    live.live.plan_reload(None).apply()
    body = stored(live)
    (tmp_path / "things.yaml").unlink()
    (tmp_path / "things.yaml").write_text(yaml.safe_dump(things[:-1]))
    other = Watched(LiveTown(live.live.town.config, path, 3))

    other.live.load(body)
    live.run(40)
    other.run(40)

    assert stored(other) == stored(live)


def test_settings_of_the_services_and_their_tokens_stay_out() -> None:
    secret = "a-token-of-sixteen-or-more"
    token = {"label": "boss", "role": "admin", "token": secret}
    live = watched({"console_auth": {"enabled": True, "tokens": [token]}, "telemetry": {"snapshot_every": 7}})
    body = stored(live)
    other = LiveTown(config_of({"console_auth": {"enabled": True, "tokens": [token]}}), None, 1)

    other.load(body)

    assert secret not in json.dumps(body)
    assert other.town.config.telemetry.snapshot_every == 200
    assert other.town.config.console_auth.tokens[0].token == secret


def test_hot_values_come_with_a_snapshot() -> None:
    live = watched({"economy": {"ingredients_cost": 0.2}}).run(3)
    other = LiveTown(config_of({"economy": {"ingredients_cost": 0.1}}), None, 7)

    other.load(stored(live))

    assert other.town.config.economy.ingredients_cost == 0.2
    assert other.state_hash() == live.live.state_hash()


def _without(name: str) -> Spoil:
    def spoil(body: dict[str, Any]) -> None:
        del body[name]

    return spoil


def _with(path: str, value: Any) -> Spoil:
    def spoil(body: dict[str, Any]) -> None:
        part: Any = body
        *way, last = path.split(".")
        for name in way:
            part = part[int(name)] if isinstance(part, list) else part[name]
        if isinstance(part, list):
            part[int(last)] = value
        else:
            part[last] = value

    return spoil


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        pytest.param(_without("citizens"), "citizens", id="missing"),
        pytest.param(_with("tick", "soon"), "tick", id="no-number"),
        pytest.param(_with("citizens.0.seat", 99), "seat is 99", id="no-seat"),
        pytest.param(_with("citizens.0.holding", 999), "seat 0: holding is 999", id="no-object"),
        pytest.param(_with("citizens.0.needs", [1.0]), "a list has 1 entries; it must have 3", id="too-few-needs"),
        pytest.param(_with("citizens.0.ties", [{"other": 40}]), "other of a tie is 40", id="no-tie"),
        pytest.param(_with("streams.world.state", "xyz"), "hold together", id="no-stream"),
        pytest.param(_with("objects", []), "objects", id="no-objects"),
        pytest.param(_with("files.town_sha256", "0" * 64), "another town", id="other-town"),
        pytest.param(_with("files.affordances.text", "- nothing"), "cannot be used", id="broken-files"),
        pytest.param(_with("config.world.seats", 12), "restart", id="other-structure"),
        pytest.param(_with("config.affordances.hook_modules", ["os"]), "restart", id="other-hooks"),
    ],
)
def test_what_is_no_state_of_the_town_is_refused_and_changes_nothing(spoil: Spoil, words: str) -> None:
    live = watched(LIVELY).run(2)
    body = stored(live)
    before = live.live.state_hash()
    spoil(body)

    with pytest.raises(SnapshotError, match=words):
        live.live.load(body)

    assert live.live.state_hash() == before
    live.run(1)
