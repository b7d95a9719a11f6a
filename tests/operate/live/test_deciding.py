"""Who decides in a live world, and what a learned policy says of every seat."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from diorama.contracts.errors import SnapshotError, UnknownName
from diorama.contracts.live.world import LiveWorld
from diorama.operate.live.deciding.decider import Decider
from diorama.operate.live.deciding.opening import ObservationVariantMismatch, PolicyShelf
from diorama.worlds.registry import load_world
from tests.operate.live.policies import untrained_policy
from tests.operate.live.runtimes import command, open_live_world


def _shelf(runs: Path, world: str = "townlet") -> PolicyShelf:
    registered = load_world(world)
    return PolicyShelf(world=registered, config=registered.config_type(), run_root=runs)


@pytest.fixture
def town(tmp_path: Path) -> LiveWorld:
    world = open_live_world(tmp_path / "live", "townlet").world
    world.schedule()
    return world


def _learned(runs: Path, world: LiveWorld) -> Decider:
    shelf = _shelf(runs)
    return shelf.open(shelf.find(str(untrained_policy(runs, "townlet")), world.identity))


def test_a_learned_policy_tells_chances_and_value_of_everybody_who_decides(town: LiveWorld, tmp_path: Path) -> None:
    decider = _learned(tmp_path, town)

    selection = decider.decide(town)

    view = town.view()
    assert sorted(selection.opinions) == np.flatnonzero(view.alive).tolist()
    for seat, opinion in selection.opinions.items():
        assert sum(opinion.chances) == pytest.approx(1.0, abs=1e-5)
        assert all(chance == 0.0 for chance, valid in zip(opinion.chances, view.masks[seat], strict=True) if not valid)
        assert view.masks[seat, selection.actions[seat, 0]]
    assert not selection.actions[view.alive == 0].any()


def test_what_a_learned_policy_remembers_is_saved_and_only_loaded_by_the_same_one(
    town: LiveWorld, tmp_path: Path
) -> None:
    one, other = _learned(tmp_path, town), _learned(tmp_path, town)
    one.decide(town)
    kept = one.export()

    other.load(kept)
    assert other.export() == kept
    assert isinstance(kept, dict)
    other.load({**kept, "policy_hash": "another"})
    assert other.export() != kept
    for broken in ("AAAA", "no base64", None):
        with pytest.raises(SnapshotError, match="no memory of policy"):
            other.load({**kept, "memory": broken})


def test_a_run_is_named_by_its_id_and_only_runs_can_be_named_from_afar(tmp_path: Path) -> None:
    path = untrained_policy(tmp_path / "runs", "townlet")
    shelf = _shelf(tmp_path / "runs")
    identity = open_live_world(tmp_path / "live", "townlet").world.identity

    found = shelf.find("novice", identity)
    assert shelf.find(found.checkpoint, identity, is_from_afar=True) == found
    outside = tmp_path / "elsewhere.safetensors"
    outside.write_bytes(path.read_bytes())
    for name in ("../elsewhere.safetensors", str(outside)):
        with pytest.raises(UnknownName, match="no checkpoint"):
            shelf.find(name, identity, is_from_afar=True)
    with pytest.raises(UnknownName, match="idle, random_valid, scripted"):
        shelf.find("nobody", identity)


def test_nobody_is_told_where_the_runs_lie(tmp_path: Path) -> None:
    path = untrained_policy(tmp_path / "runs", "townlet")

    for name in ("novice", str(path)):
        runtime = open_live_world(tmp_path / path.stem / name[-3:], "townlet", policy=name, run_root=tmp_path / "runs")
        policy = runtime.status()["policy"]
        assert isinstance(policy, dict)
        assert policy["checkpoint"] == f"novice/checkpoints/{path.name}"
        assert str(tmp_path) not in str(runtime.publisher.latest_snapshot())


def test_a_pointer_from_before_names_were_short_still_leads_to_its_policy(town: LiveWorld, tmp_path: Path) -> None:
    path = untrained_policy(tmp_path / "runs", "townlet")
    shelf = _shelf(tmp_path / "runs")
    pointer = replace(shelf.find("novice", town.identity), checkpoint=str(path))

    assert shelf.open(pointer).pointer == pointer


def test_a_policy_of_another_world_is_refused_at_the_start(tmp_path: Path) -> None:
    untrained_policy(tmp_path / "runs", "prospector")

    with pytest.raises(ObservationVariantMismatch, match="cannot decide here"):
        open_live_world(tmp_path / "live", "townlet", policy="novice", run_root=tmp_path / "runs")


def test_a_policy_that_reads_another_observation_meets_the_gate(tmp_path: Path) -> None:
    compact: dict[str, object] = {"features": {"systems": {"observations": "compact"}}}
    untrained_policy(tmp_path / "runs", "townlet", run_id="near", config=compact)
    untrained_policy(tmp_path / "runs", "townlet", run_id="own")
    runtime = open_live_world(tmp_path / "live", "townlet", run_root=tmp_path / "runs")
    before = runtime.status()["policy"]

    answers = [command(runtime, name, "near", cmd_id=name) for name in ("policy_swap", "policy_shadow")]

    for answer in answers:
        assert (answer["error"]["code"], answer["error"]["reason"]) == ("conflict", "variant_gate"), answer
    assert runtime.status()["policy"] == before
    assert command(runtime, "policy_swap", "own", cmd_id="own")["status"] == "ok"
