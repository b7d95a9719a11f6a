"""The world as the platform drives it: contract, checkers, advice, replays, sessions of play, parity."""

from pathlib import Path

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from diorama.contracts.errors import SnapshotError
from diorama.contracts.live.refusals import CommandError
from diorama.contracts.live.world import LiveWorld
from diorama.contracts.live.world import Selection as Selected
from diorama.contracts.tiers import Tier
from diorama.contracts.values import JsonObject
from diorama.engine.adapters.gymnasium_env import DioramaEnv
from diorama.engine.batch import Batch
from diorama.engine.make import make
from diorama.engine.players import bot_contender
from diorama.engine.venue import open_venue
from diorama.operate.console.catalogue import Catalogue
from diorama.operate.console.platform.commands import PLATFORM_COMMANDS
from diorama.operate.live.batch_world.offer import live_offer
from diorama.parity.cases import Column, Selection, plan_cases
from diorama.parity.matrix import check_case, replay_bundle
from diorama.parity.profiles import Kind, Profile, Tolerance, declared_profile, tolerance_of
from diorama.runs.replays.reader import open_replay
from diorama.runs.replays.record import record_episode
from diorama.runs.replays.recording import RecordingPlan
from diorama.runs.replays.rerun import compare_drifting, compare_loosely
from diorama.runs.replays.scene import Scene
from diorama.runs.replays.sidecar import PlayerFacts, PlayerKind
from diorama.runs.replays.verify import verify_replay
from diorama.server.play.limits import PlayLimits
from diorama.server.play.session import Session
from diorama.server.play.setting import Setting
from diorama.worlds.morphogenesis.contracts.actions import LifecycleOp
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction
from diorama.worlds.morphogenesis.controller.choices import WAIT, compose
from diorama.worlds.morphogenesis.engine.operator import OperatorDesk
from diorama.worlds.registry import load_world
from tests.runs.factories import FakeClock, empty_run
from tests.worlds.morphogenesis.small_worlds import SMALL

WORLD = load_world("morphogenesis")
NORM = BlueprintAction.NORM
EAGER = {**SMALL, "max_epochs": 24, "stabilization_epochs": 0, "plateau_threshold": 100.0}
"""The rules plant as soon as they may."""


def test_the_fast_tier_proves_itself_against_the_readable_one() -> None:
    batch = make("morphogenesis", config=SMALL)

    assert (batch.tier_selected, batch.tier_fallback_reason) == (Tier.FAST, None)


def test_gymnasium_finds_nothing_to_complain_about() -> None:
    check_env(DioramaEnv("morphogenesis", config=SMALL, tier="fast"), skip_render_check=True)


def advised(copies: int = 1) -> Batch:
    batch = make("morphogenesis", copies=copies, config=EAGER, seed=3, tier="fast")
    batch.reset()
    return batch


def test_advice_grows_a_host_and_every_op_of_it_is_accepted() -> None:
    batch, ops = advised(2), []

    for _ in range(23):
        advice = batch.expert_actions()
        batch.step(advice)
        ops.append(LifecycleOp(int(advice[0, -1])))
        assert batch.step_record(0).info["action_success"] is True

    assert ops.index(LifecycleOp.GERMINATE) == 4
    assert {LifecycleOp.ADVANCE, LifecycleOp.PRUNE, LifecycleOp.FOSSILIZE} & set(ops[5:])


def test_advice_is_that_of_the_moment_also_after_a_restore() -> None:
    batch = advised()
    for _ in range(5):
        batch.step(batch.expert_actions())
    stored, there = batch.snapshot(0), batch.expert_actions()
    for _ in range(6):
        batch.step(batch.expert_actions())
    later = batch.state_hash(0)

    batch.restore(0, stored)

    assert np.array_equal(batch.expert_actions(), there)
    for _ in range(6):
        batch.step(batch.expert_actions())
    assert batch.state_hash(0) == later


def test_a_bot_plays_the_rules_from_what_it_sees() -> None:
    batch = make("morphogenesis", config={**EAGER, "control_twins": False}, seed=3, tier="fast")
    bot = WORLD.bots["rules"]()
    batch.reset()
    bot.reset(batch.episode_seed(0))
    ops = []

    for _ in range(12):
        decision, advice = bot.act(batch.obs[0], batch.obs_u8[0], batch.masks[0]), batch.expert_actions()[0]
        # Verdicts differ: the bot does not see what a seed is worth. Up to there both go the same way.
        if advice[-1] in (LifecycleOp.FOSSILIZE, LifecycleOp.PRUNE):
            break
        # The bot settles by its own count of calm epochs, three of them.
        if advice[-1] != LifecycleOp.GERMINATE:
            assert decision == tuple(advice) or decision[-1] == LifecycleOp.WAIT
        batch.step(np.array([advice]))
        ops.append(decision[-1])

    assert LifecycleOp.ADVANCE in ops


def test_a_replay_comes_out_the_same_in_its_tier_and_nearly_in_the_other(tmp_path: Path) -> None:
    venue, layout = open_venue("morphogenesis", SMALL, tier="fast", threads=1), empty_run(tmp_path)
    plan = RecordingPlan(
        window_id=0,
        trainer_backend="random",
        players=(PlayerFacts(kind=PlayerKind.BOT, name="random", deterministic=True),),
        checkpoint_env_steps_total=None,
        max_steps=10,
        include_info=True,
        milestones={},
    )
    player = bot_contender(WORLD, "random").start(venue.spec, 1)

    entry = record_episode(layout, venue, player, 5, plan, clock=FakeClock())

    replay = open_replay(layout, entry.replay_id)
    same, near = (verify_replay(replay, tier=tier, with_pictures=True) for tier in ("fast", "reference"))
    assert (same.frames, same.hashes, same.divergence, same.drifted) == (6, 6, None, None)
    assert (near.frames, near.divergence) == (6, None)
    assert near.drifted is not None


def test_a_replay_that_took_another_way_is_told(tmp_path: Path) -> None:
    venue = open_venue("morphogenesis", SMALL, tier="fast", threads=1)
    scene, other = Scene(venue, 5), Scene(venue, 5)
    wait, plant = (np.array([action], np.int32) for action in (WAIT, compose(LifecycleOp.GERMINATE, 0, blueprint=NORM)))
    moment = scene.step(plant)
    recorded = moment.frame(scene.render_state(), include_info=True)

    divergence = compare_loosely(other, recorded, other.step(wait))

    assert divergence is not None
    assert divergence.field == "events"
    far = compare_drifting(3, {"accuracy": 40.0}, {"accuracy": 40.6}, WORLD.drift)
    assert str(far) == "at frame 3, render_state.accuracy was recorded as 40.0 and is now 40.6"
    assert compare_drifting(3, {"accuracy": 40.0}, {"accuracy": 40.5}, WORLD.drift) is None


def test_a_person_takes_decisions_back_and_decides_anew() -> None:
    setting = Setting(venue=open_venue("morphogenesis", SMALL, tier="fast", threads=1), seat=0, others=None)
    session = Session(setting, 7, PlayLimits())
    plant = compose(LifecycleOp.GERMINATE, 0, blueprint=NORM)
    for decision in (WAIT, plant, WAIT):
        session.step(decision)
    once = session.scene.render_state()

    session.undo(2)
    session.step(WAIT)
    otherwise = session.scene.render_state()
    session.undo(1)
    for decision in (plant, WAIT):
        session.step(decision)

    assert session.scene.render_state() == once
    assert otherwise["slots"] != once["slots"]
    assert session.record.info["epoch"] == 4


def test_both_tiers_agree_by_the_profile_the_world_declares(tmp_path: Path) -> None:
    column = Column(label="short", config={**SMALL, "auto_forward_g1": True, "min_prune_age": 1})
    cases = plan_cases(WORLD, Selection(suites=("random",), seeds=1, steps=7, columns=(column,)))

    results = [check_case(WORLD, case, declared_profile(WORLD), tmp_path) for case in cases]

    assert declared_profile(WORLD) is Profile.TOLERANT
    widened = tolerance_of(Kind.OBSERVATION, Profile.TOLERANT, WORLD.tolerance)
    assert widened == Tolerance(absolute=1e-4, relative=1e-4, floor=0.0)
    assert tolerance_of(Kind.DISCRETE, Profile.TOLERANT, WORLD.tolerance) is None
    assert [result.mismatch for result in results] == [None]
    assert results[0].episodes == 1


def test_a_mismatch_leaves_a_bundle_that_replays(tmp_path: Path) -> None:
    (case,) = plan_cases(
        WORLD,
        Selection(suites=("random",), seeds=1, steps=3, columns=(Column(label="short", config=SMALL),)),
    )

    found = check_case(WORLD, case, Profile.EXACT, tmp_path)

    # Bit for bit they do not agree, and are not meant to.
    assert found.bundle is not None
    again = replay_bundle(WORLD, found.bundle)
    assert again.result.mismatch is not None
    assert again.recorded_step == found.mismatch.step if found.mismatch else False


def command(name: str, batch: Batch, *args: object, **kwargs: object) -> JsonObject:
    (found,) = (command for command in WORLD.commands if command.name == name)
    return found.execute(batch.desk, args, kwargs)


def test_an_operator_looks_decides_and_holds_drills() -> None:
    batch = make("morphogenesis", config={**SMALL, "min_prune_age": 1}, seed=3, tier="fast")
    batch.reset()
    wait = np.array([WAIT])

    with pytest.raises(CommandError, match="ADVANCE is not possible"):
        command("op", batch, 0, "ADVANCE", "r0c0")
    with pytest.raises(CommandError, match=r"there is no env 3; use 0\.\.0"):
        command("env", batch, 3)
    assert command("op", batch, 0, "GERMINATE", "r0c0", blueprint="norm")["env"] == 0
    batch.step(wait)
    slot = command("slot", batch, 0, "r0c0")["slot"]
    assert isinstance(slot, dict)
    assert slot["stage"] == "GERMINATED"
    command("op", batch, 0, "PRUNE", "r0c0")
    batch.step(wait)
    assert batch.step_record(0).event_data["SEED_PRUNED"]["initiator"] == "operator"
    command("control", batch, 0, "wait")
    batch.step(np.array([compose(LifecycleOp.GERMINATE, 1, blueprint=NORM)]))
    assert batch.step_record(0).received == (WAIT,)
    command("snapshot", batch, 0)
    command("rollback", batch, 0)
    batch.step(wait)
    told = batch.step_record(0)
    assert told.event_data["GOVERNOR_ROLLBACK"]["reason"] == "governor_rollback"
    assert command("status", batch)["envs"][0]["rollbacks"] == 1  # type: ignore[index,call-overload]
    command("inject", batch, 0, "nan")
    batch.step(wait)
    assert batch.terminated[0] == 1


def test_who_decides_and_what_is_ordered_is_kept_for_a_desk_elsewhere() -> None:
    config = {**SMALL, "min_prune_age": 1}
    one, other = (make("morphogenesis", config=config, seed=3, tier="fast") for _ in range(2))
    for batch in (one, other):
        batch.reset()
    desk, there = one.desk, other.desk
    assert isinstance(desk, OperatorDesk)
    assert isinstance(there, OperatorDesk)
    command("control", one, 0, "wait")
    command("op", one, 0, "GERMINATE", "r0c0", blueprint="norm")
    kept = desk.export_orders()

    there.load_orders(kept)
    decision = np.array([compose(LifecycleOp.GERMINATE, 1, blueprint=NORM)])
    for batch in (one, other):
        batch.step(decision)
        batch.step(decision)

    assert one.state_hash(0) == other.state_hash(0)
    assert command("status", other)["envs"][0]["decides"] == "wait"  # type: ignore[index,call-overload]
    strange: list[JsonObject] = [{"deciders": {"1": "wait"}}, {"deciders": {"0": "me"}}, {"ordered": {"0": [9] * 8}}]
    for wrong in strange:
        with pytest.raises(SnapshotError):
            there.load_orders(wrong)
    assert there.export_orders() == {"ordered": {}, "deciders": {"0": "wait"}}


def test_the_world_runs_live_and_goes_on_from_what_was_saved() -> None:
    config = WORLD.config_type.model_validate(SMALL)
    offer = live_offer(WORLD, config)
    one, other = (offer.open(config, None, seed) for seed in (7, 8))
    live(one, 3)

    other.load(one.save())
    for world in (one, other):
        live(world, 5)

    assert other.state_hash() == one.state_hash()
    assert {"op", "inject", "speed", "help"} <= Catalogue(PLATFORM_COMMANDS, offer.commands).entries.keys()
    assert {"SEED_GERMINATED", "episode_over"} <= {kind.name for kind in offer.events}


def live(world: LiveWorld, ticks: int) -> None:
    for _ in range(ticks):
        world.schedule()
        world.decide(Selected(actions=world.expert_actions()))
        world.resolve()
        world.settle()
        world.advance()
