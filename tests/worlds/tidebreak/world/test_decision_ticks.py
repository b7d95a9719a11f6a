"""Decisions that last several ticks: what is repeated, what it is paid, and where it ends."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import pytest
from pydantic import ValidationError

import diorama
from diorama.contracts.config import config_hash
from diorama.contracts.errors import SnapshotError
from diorama.contracts.records import StepRecord
from diorama.contracts.values import I32, U8
from diorama.engine.batch import Batch
from diorama.engine.batched_bots import BotRows, open_batched_bot
from diorama.engine.players import bot_contender
from diorama.engine.venue import open_venue
from diorama.runs.replays.fork import fork_replay
from diorama.runs.replays.reader import open_replay
from diorama.runs.replays.record import record_episode
from diorama.runs.replays.verify import verify_replay
from diorama.server.play.limits import PlayLimits
from diorama.server.play.session import Session
from diorama.server.play.setting import Setting
from diorama.worlds.registry import load_world
from diorama.worlds.tidebreak.codes import UnitStatus
from diorama.worlds.tidebreak.config import DECISION_TICKS_MAX, TidebreakConfig
from diorama.worlds.tidebreak.contract import (
    HEAD_OFFSETS,
    HEAD_SIZES,
    HEADS,
    HELD_OPTIONS,
    INTERFACE_VERSION,
    WORLD_ID,
    Head,
    SupportOrder,
    WeaponOrder,
    describe,
)
from diorama.worlds.tidebreak.reference.simulation import TidebreakSimulation
from diorama.worlds.tidebreak.reference.state import Unit
from diorama.worlds.tidebreak.scenarios import random_battle
from tests.runs.factories import FakeClock, bot_plan, empty_run
from tests.worlds.tidebreak.world.battles import LIMIT_S, skirmish

NOOP: Final = describe(TidebreakConfig()).noop
DEFAULT_HASH: Final = "6944d0752337faf44af75845a3d47fc3056ed7fa33107dfc3e29856b74c2c0e2"  # of a replay of 0.1.0
TIERS = pytest.mark.parametrize("tier", ["reference", "fast"])
BUFFERS: Final = (
    *("obs", "masks", "rewards", "terminated", "truncated", "alive"),
    *("episode_start", "dt", "events", "metrics", "final_obs"),
)


def made(tier: str, decision_ticks: int, *, seed: int = 7, **config: Any) -> Batch:
    settings = {"package": skirmish(), **config, "decision_ticks": decision_ticks}
    batch = diorama.make("tidebreak", copies=1, seed=seed, config=settings, tier=tier, threads=1)
    batch.reset([seed])
    return batch


def masked(masks: U8, rng: np.random.Generator) -> I32:
    heads = tuple(zip(HEAD_OFFSETS, HEAD_SIZES, strict=True))
    rows = [[rng.choice(np.flatnonzero(row[start : start + size])) for start, size in heads] for row in masks]
    return np.array(rows, np.int32)


def decision(**options: int) -> tuple[int, ...]:
    return tuple(options.get(head.name.lower(), noop) for head, noop in zip(Head, NOOP, strict=True))


def every_seat(batch: Batch, options: Sequence[int]) -> I32:
    return np.tile(np.array(options, np.int32), (batch.rows, 1))


def by_hand(actions: I32, masks: U8) -> I32:
    """Return what is left of decisions on a later tick: helm, free fire, boarding and scuttling, where allowed."""
    left = np.tile(np.array(NOOP, np.int32), (len(actions), 1))
    for seat, row in enumerate(actions.tolist()):
        for head, option in enumerate(row):
            is_held = head in (Head.THROTTLE, Head.RUDDER) or (head, option) in {(4, 7), (6, 6), (6, 7)}
            if is_held and masks[seat, HEAD_OFFSETS[head] + option]:
                left[seat, head] = option
    return left


def played_by_hand(single: Batch, actions: I32, ticks: int) -> list[StepRecord]:
    records = []
    for tick in range(ticks):
        single.step(actions if tick == 0 else by_hand(actions, single.masks))
        records.append(single.step_record(0))
    return records


def summed(rows: Sequence[Sequence[float]]) -> list[float]:
    totals = list(rows[0])
    for row in rows[1:]:
        totals = [total + value for total, value in zip(totals, row, strict=True)]
    return totals


def components(record: StepRecord) -> list[list[float]]:
    return [list(seat) for seat in cast(Any, record.info["reward_components"])]


def invalid(record: StepRecord) -> list[int]:
    return list(cast(Any, record.info["invalid"]))


def events(record: StepRecord, name: str) -> list[list[float]]:
    return list(cast(Any, record.event_data[name]["records"]))


@TIERS
@pytest.mark.parametrize(
    ("ticks", "seed", "config"),
    [
        pytest.param(5, 3, {}, id="credited"),
        pytest.param(7, 11, {"credit_dead": False, "shaping_discount": 0.9}, id="ended-at-once"),
    ],
)
def test_a_repeat_is_the_same_decision_played_tick_by_tick(
    tier: str, ticks: int, seed: int, config: Mapping[str, object]
) -> None:
    package = random_battle(seed).model_copy(update={"time_limit_s": 34.0}).model_dump(mode="json")
    given = {"package": package, "played": "all", "seats": 8, **config}
    repeating, single = made(tier, ticks, seed=seed, **given), made(tier, 1, seed=seed, **given)
    rng = np.random.default_rng(seed)
    lengths: list[int] = []

    while not (lengths and repeating.episode_start.any()):
        actions = masked(repeating.masks, rng)
        repeating.step(actions)
        told = repeating.step_record(0)
        records = played_by_hand(single, actions, told.dt)

        lengths.append(told.dt)
        assert list(told.rewards) == summed([record.rewards for record in records])
        for seat, found in enumerate(components(told)):
            assert found == summed([components(record)[seat] for record in records])
        for seat, terms in enumerate(told.reward_terms):
            parts = {name: sum(record.reward_terms[seat][name] for record in records) for name in terms}
            assert terms == pytest.approx(parts, abs=1e-12)
        assert invalid(told) == [sum(counts) for counts in zip(*map(invalid, records), strict=True)]
        assert list(told.terminated) == np.any([record.terminated for record in records], axis=0).tolist()
        assert list(told.truncated) == np.any([record.truncated for record in records], axis=0).tolist()
        assert told.events == tuple(dict.fromkeys(name for record in records for name in record.events))
        assert told.metrics == records[-1].metrics
        assert repeating.state_hash(0) == single.state_hash(0)
        np.testing.assert_array_equal(repeating.obs, single.obs)
        np.testing.assert_array_equal(repeating.masks, single.masks)

    assert sum(lengths) == 34 or told.info["end_reason"] != "time_limit"
    assert set(lengths[:-1]) <= {ticks}


@pytest.mark.parametrize("ticks", [4, 7])
@pytest.mark.parametrize("seed", [5, 11])
def test_both_tiers_agree_beyond_the_end_of_a_battle_and_a_restore(ticks: int, seed: int) -> None:
    package = random_battle(seed).model_copy(update={"time_limit_s": 25.0}).model_dump(mode="json")
    config = {"package": package, "played": "all", "seats": 8, "credit_dead": seed != 11, "shaping_discount": 0.9}
    reference, fast = (made(tier, ticks, seed=seed, **config) for tier in ("reference", "fast"))
    rng, ends = np.random.default_rng(seed), 0

    for step in range(12):
        actions = masked(reference.masks, rng)
        for batch in (reference, fast):
            batch.step(actions)
        ends += int(reference.episode_start.any())
        for name in BUFFERS:
            np.testing.assert_array_equal(getattr(fast, name), getattr(reference, name), err_msg=name)
        assert fast.step_record(0) == reference.step_record(0)
        assert fast.state_hash(0) == reference.state_hash(0)
        if step == 1:
            of_reference, of_fast = reference.snapshot(0), fast.snapshot(0)
            assert of_fast == of_reference
            reference.restore(0, of_fast)
            fast.restore(0, of_reference)

    assert ends > 0


@TIERS
def test_a_battle_that_ends_within_a_decision_ends_it(tier: str) -> None:
    batch = made(tier, 7, seats=2)

    batch.step(every_seat(batch, NOOP))
    assert (batch.dt[0], batch.truncated.tolist()) == (7, [0, 0])
    batch.step(every_seat(batch, NOOP))

    record = batch.step_record(0)
    assert (batch.dt[0], record.dt, record.info["tick"]) == (LIMIT_S - 7, LIMIT_S - 7, LIMIT_S)
    assert batch.truncated.tolist() == batch.episode_start.tolist() == [1, 1]
    assert "battle_end" in record.events
    assert batch.final_obs.any(axis=1).all()
    assert (batch.step_record(0).metrics[0][0], batch.alive.tolist()) == (0.5, [1, 1])


@TIERS
def test_a_decoy_is_launched_on_the_first_tick_alone(tier: str) -> None:
    batch = made(tier, 30, package=corvettes(), ships=["blue-z"], opponents="idle")
    order = decision(support=SupportOrder.DECOY)
    assert batch.masks[0, HEAD_OFFSETS[Head.SUPPORT] + SupportOrder.DECOY] == 1

    batch.step(every_seat(batch, order))

    record = batch.step_record(0)
    assert (len(events(record, "decoy")), record.dt, invalid(record)) == (1, 30, [0])
    # Decided again 20 ticks later, the same ship would have launched another.
    assert len(launched_by_hand(tier, order)) == 2


def corvettes() -> dict[str, Any]:
    document = skirmish(time_limit_s=60)
    for ship in document["ships"]:
        ship["class_id"] = "corvette"  # which has two decoys
    return document


def launched_by_hand(tier: str, order: Sequence[int]) -> list[int]:
    single = made(tier, 1, package=corvettes(), ships=["blue-z"], opponents="idle")
    launched = []
    for tick in range(30):
        single.step(every_seat(single, order))
        launched += [tick] if "decoy" in single.step_record(0).events else []
    return launched


def close_quarters() -> dict[str, Any]:
    document = skirmish(time_limit_s=60, fog=False)
    for ship in document["ships"]:
        ship["initial_state"]["x"] *= 0.5
    return document


def fired(tier: str, decision_ticks: int, weapon: WeaponOrder) -> int:
    """Return how often weapons fire in the first decision that may order them."""
    batch = made(tier, decision_ticks, package=close_quarters(), ships=["blue-z"], opponents="idle", teammates="idle")
    while not batch.masks[0, HEAD_OFFSETS[Head.WEAPON] + weapon]:
        batch.step(every_seat(batch, NOOP))
    batch.step(every_seat(batch, decision(weapon=weapon)))
    record = batch.step_record(0)
    assert invalid(record) == [0]
    return len(events(record, "weapon_fired"))


@TIERS
def test_a_named_group_fires_one_salvo_and_free_fire_goes_on(tier: str) -> None:
    salvo, free_salvo = fired(tier, 1, WeaponOrder.GUN), fired(tier, 1, WeaponOrder.FREE)

    assert fired(tier, 12, WeaponOrder.GUN) == salvo
    assert fired(tier, 12, WeaponOrder.FREE) > free_salvo


@TIERS
def test_events_keep_the_tick_in_which_they_happened(tier: str) -> None:
    batch = made(tier, 30, package=corvettes(), seats=4, played="all")
    batch.step(every_seat(batch, decision(throttle=6, emissions=3, support=SupportOrder.DECOY)))
    record, shown = batch.step_record(0), cast(Any, batch.render_state(0)["events"])

    ticks = {int(row[0]): int(row[7]) for name in record.events for row in events(record, name)}
    assert len(set(ticks.values())) > 1
    assert set(ticks.values()) <= set(range(30))
    assert {event["id"]: event["tick"] for event in shown}.items() <= ticks.items()


@TIERS
def test_events_of_single_ticks_have_the_numbers_they_had(tier: str) -> None:
    batch = made(tier, 1, package=corvettes())
    batch.step(every_seat(batch, decision(support=SupportOrder.DECOY)))

    assert {len(row) for row in events(batch.step_record(0), "decoy")} == {7}


def crippled(simulation: TidebreakSimulation) -> Unit:
    unit = simulation.arena.battle.unit(simulation.episode.seats[0])
    unit.hull.hp = 0.2 * unit.spec.hull.hp_max
    return unit


@pytest.mark.parametrize("credit_dead", [True, False])
def test_a_seat_that_falls_within_a_decision_ends_as_in_a_step(credit_dead: bool) -> None:
    config = TidebreakConfig(
        package=skirmish(time_limit_s=90),
        ships=("blue-z",),
        opponents="idle",
        credit_dead=credit_dead,
        decision_ticks=30,
    )
    simulation = TidebreakSimulation(config)
    simulation.reset(7)
    unit = crippled(simulation)

    record = simulation.step([decision(support=SupportOrder.SCUTTLE)])
    later = simulation.step([decision(support=SupportOrder.SCUTTLE)])

    assert unit.has(UnitStatus.SCUTTLED)  # which takes the order for 20 ticks in a row
    assert (record.dt, record.terminated, record.truncated) == (30, (not credit_dead,), (False,))
    assert (later.received, later.terminated, later.rewards) == ((None,), (False,), (0.0,))


def test_an_option_that_is_no_longer_allowed_becomes_the_noop() -> None:
    simulation = TidebreakSimulation(
        TidebreakConfig(package=skirmish(time_limit_s=90), ships=("blue-z",), opponents="idle", decision_ticks=30)
    )
    simulation.reset(7)
    unit = simulation.arena.battle.unit(simulation.episode.seats[0])

    record = simulation.step([decision(throttle=6, emissions=1, support=SupportOrder.DC_FIRE)])

    # A posture and a focus that are taken are masked from then on, and cost nothing.
    assert (invalid(record), unit.memory.invalid_orders) == ([0], 0)
    assert (unit.posture.emissions, unit.posture.dc_focus, unit.motion.cmd_throttle) == (0, 1, 1.0)


def test_every_head_says_which_options_are_held() -> None:
    assert list(HELD_OPTIONS) == list(Head)
    for head, held in HELD_OPTIONS.items():
        assert set(held) <= set(range(HEAD_SIZES[head]))
        assert head in (Head.THROTTLE, Head.RUDDER) or HEADS[head].noop not in held


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        pytest.param(0, "greater_than_equal", id="none"),
        pytest.param(DECISION_TICKS_MAX + 1, "less_than_equal", id="too-many"),
        pytest.param(1.5, "int_from_float", id="half"),
    ],
)
def test_other_numbers_of_ticks_are_refused(given: object, kind: str) -> None:
    with pytest.raises(ValidationError) as refused:
        TidebreakConfig.model_validate({"decision_ticks": given})

    assert [(error["loc"], error["type"]) for error in refused.value.errors()] == [(("decision_ticks",), kind)]


def test_single_ticks_leave_the_configuration_as_it_was() -> None:
    usual, several = TidebreakConfig(decision_ticks=1), TidebreakConfig(decision_ticks=4)

    assert "decision_ticks" not in usual.model_dump()
    assert config_hash(INTERFACE_VERSION, WORLD_ID, usual) == DEFAULT_HASH
    assert config_hash(INTERFACE_VERSION, WORLD_ID, several) != DEFAULT_HASH
    assert TidebreakConfig.model_validate_json(several.canonical()) == several
    assert TidebreakConfig.model_validate_json(usual.canonical()) == usual


@TIERS
def test_a_snapshot_of_other_decisions_is_refused(tier: str) -> None:
    data = made(tier, 4).snapshot(0)
    batch = made(tier, 1)
    before = batch.state_hash(0)

    with pytest.raises(SnapshotError, match="decision_ticks"):
        batch.restore(0, data)
    with pytest.raises(SnapshotError, match="decision_ticks"):
        batch.start_from(0, data, seed=3)

    assert batch.state_hash(0) == before


@pytest.mark.parametrize("recorded_on", ["reference", "fast"])
def test_a_replay_comes_out_as_it_was_recorded_and_can_be_forked(recorded_on: str, tmp_path: Path) -> None:
    config = {"package": skirmish(time_limit_s=60), "decision_ticks": 7}
    venue, layout = open_venue("tidebreak", config, tier=recorded_on, threads=1), empty_run(tmp_path)
    player = bot_contender(venue.world, "hunter").start(venue.spec, 1)

    entry = record_episode(layout, venue, player, 5, bot_plan("hunter", include_info=True), clock=FakeClock())

    replay = open_replay(layout, entry.replay_id)
    frames = list(replay.frames())
    assert [frame.dt for frame in frames] == [7] * 8 + [4]
    assert [frame.t for frame in frames] == [*range(7, 57, 7), 60]
    assert verify_replay(replay, tier="fast").is_faithful
    assert verify_replay(replay, tier="reference").is_faithful
    other = bot_contender(venue.world, "aggressor").start(venue.spec, 1)
    fork = fork_replay(layout, replay, venue, other, frame=3, plan=bot_plan("aggressor"), clock=FakeClock())
    assert verify_replay(open_replay(layout, fork.replay_id)).is_faithful


def test_a_person_plays_decision_by_decision_and_can_go_back() -> None:
    venue = open_venue("tidebreak", {"package": skirmish(time_limit_s=60), "decision_ticks": 4}, threads=1)
    session = Session(Setting(venue=venue, seat=0, others=None), 7, PlayLimits())

    session.step(decision(throttle=6))
    picture = session.scene.render_state()
    session.step(decision(throttle=0))
    session.undo(1)

    assert (session.scene.ticks, picture["tick"]) == (4, 4)
    assert session.scene.render_state() == picture


def test_a_native_captain_decides_once_for_every_repeat() -> None:
    batch = made("fast", 7, stage=2, package=None)
    rows = open_batched_bot(load_world("tidebreak"), "hunter", batch.spec, batch.rows)
    readable = BotRows(load_world("tidebreak").bots["hunter"], batch.spec, batch.rows)
    for bot in (rows, readable):
        bot.reset([0], [batch.episode_seed(0)])

    for _ in range(30):
        actions = rows.act(batch.obs, batch.obs_u8, batch.masks)
        np.testing.assert_array_equal(readable.act(batch.obs, batch.obs_u8, batch.masks), actions)
        batch.step(actions)

    assert batch.dt[0] == 7
