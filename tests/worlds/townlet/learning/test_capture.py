"""Capturing the scripted controller: what is kept of a scene, and what the suites show."""

from pathlib import Path

import numpy as np
import pytest

from diorama.contracts.errors import ConfigError, UnknownName
from diorama.worlds.townlet.capture.choosing import chosen_suites, suite_names
from diorama.worlds.townlet.capture.recording import CitizenEpisode, capture
from diorama.worlds.townlet.codes import OPTION_NAMES, Option
from diorama.worlds.townlet.layout import FEATURE_INDEX
from diorama.worlds.townlet.scenarios.loading import load_scenario

NO_MAP = {"features": {"systems": {"observations": "compact"}}, "observations": {"compact": {"map_window": 0}}}


def scene(tmp_path: Path, text: str) -> list[CitizenEpisode]:
    path = tmp_path / "scene.yaml"
    path.write_text(f"name: scene\nsummary: For a test.\n{text}")
    return [*capture(load_scenario(path))]


def test_suites_show_what_a_clone_must_have_seen() -> None:
    suites = {stored.scenario.name: stored.scenario for stored in chosen_suites((), {})}

    assert set(suites) == set(suite_names())
    tags = {tag for scenario in suites.values() for tag in scenario.tags}
    assert {"low_money", "outage", "price_spike", "queue_contention", "late_start"} <= tags


def test_every_living_citizen_is_kept_tick_by_tick(tmp_path: Path) -> None:
    episodes = scene(
        tmp_path,
        "ticks: 60\n"
        "citizens: [{id: ann, needs: {hunger: 0.4, energy: 1}}, {id: ben, needs: {hunger: 0.9, energy: 0.3}}]\n",
    )

    assert [shown.agent for shown in episodes] == ["ann", "ben"]
    for shown in episodes:
        assert shown.features.shape == (60, 128)
        assert shown.maps is not None
        assert shown.maps.shape == (60, 4, 11, 11)
        assert shown.masks[np.arange(60), shown.actions].all()
        assert shown.metrics["return"] == pytest.approx(float(shown.rewards.sum()), abs=1e-4)
        assert not shown.has_left
    ann, ben = episodes
    assert OPTION_NAMES[ann.actions[0]] == "GetFed"
    assert OPTION_NAMES[ben.actions[0]] == "Sleep"
    # The first frame shows the needs the scene begins with; what is done shows in later ones.
    assert ann.features[0, FEATURE_INDEX["need_hunger"]] == pytest.approx(0.4, abs=1e-6)
    assert ann.features[:, FEATURE_INDEX["need_hunger"]].max() > 0.5


def test_a_citizen_that_leaves_ends_its_episode(tmp_path: Path) -> None:
    shown, *others = scene(
        tmp_path,
        "ticks: 30\ncitizens: [{id: ann}, {id: ben}]\ntimeline: [{tick: 9, name: kill, args: [ann]}]\n",
    )

    assert (len(shown.rewards), shown.has_left) == (10, True)
    assert [(len(other.rewards), other.has_left) for other in others if other.agent == "ben"] == [(30, False)]


def test_scripts_and_possessed_citizens_show_nothing_of_the_controller(tmp_path: Path) -> None:
    shown = scene(
        tmp_path,
        "ticks: 20\n"
        "citizens: [{id: ann, script: [Idle]}, {id: ben}]\n"
        "timeline:\n"
        "  - {tick: 5, name: possess, args: [ben, acquire]}\n"
        "  - {tick: 12, name: possess, args: [ben, release]}\n",
    )

    assert [(one.agent, len(one.rewards)) for one in shown] == [("ben", 13)]


def test_a_bound_citizen_is_kept_with_the_option_it_is_bound_to(tmp_path: Path) -> None:
    (shown,) = scene(tmp_path, "ticks: 40\ncitizens: [{id: ann, needs: {hunger: 0.3, energy: 1}}]\n")

    bound = shown.masks.sum(axis=1) == 1
    assert bound.any()
    assert (shown.masks[bound].argmax(axis=1) == shown.actions[bound]).all()
    assert (shown.actions[:10] == Option.GET_FED).all()


def test_the_same_seed_captures_the_same(tmp_path: Path) -> None:
    (stored,) = chosen_suites(("price_spike",), {**NO_MAP, "world": {"population": 2}})
    short = type(stored)(scenario=stored.scenario.model_copy(update={"ticks": 160}), folder=None)

    first, second, other = ([*capture(short, seed=seed)] for seed in (1, 1, 2))

    assert first[0].maps is None
    assert all(np.array_equal(a.features, b.features) for a, b in zip(first, second, strict=True))
    assert not np.array_equal(first[0].features, other[0].features)


def test_what_cannot_be_captured_says_why(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="nowhere"):
        chosen_suites(("nowhere",), {})
    with pytest.raises(ConfigError, match="set to primitives"):
        scene(tmp_path, "ticks: 5\noverrides: {policy_runtime: {action_level: primitive}}\n")
    with pytest.raises(ConfigError, match="nobody"):
        scene(tmp_path, "ticks: 5\ntimeline: [{tick: 1, name: kill, args: [nobody]}]\n")
