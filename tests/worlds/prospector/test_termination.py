import pytest

from diorama.rng import episode_seed
from diorama.worlds.prospector.contract import Act
from tests.worlds.prospector.conftest import Fly
from tests.worlds.prospector.pilot import QUIET


def test_an_empty_tank_in_the_field_strands_the_ship(fly: Fly) -> None:
    pilot = fly(**QUIET)
    pilot.put(node=1, fuel=2.0)

    record = pilot.step(Act.ACTIVE_COOLDOWN)

    assert (record.terminated, record.truncated) == ((True,), (False,))
    assert (record.info["end_reason"], record.info["stranded"]) == ("stranded", True)
    assert record.metrics[0][3] == 0.0


def test_limping_into_the_station_on_an_empty_tank_is_survivable(fly: Fly) -> None:
    pilot = fly(**QUIET)
    state = pilot.put(node=1, fuel=1.0)
    home = next(slot for slot, edge in enumerate(state.here.edges) if edge.neighbor == 0)

    record = pilot.step(Act.TRAVEL_NEIGHBOR + home)

    assert record.terminated == (False,)
    assert (pilot.state.ship.node, pilot.state.ship.fuel) == (0, 0.0)


def test_arriving_elsewhere_on_an_empty_tank_is_not(fly: Fly) -> None:
    pilot = fly(**QUIET)
    pilot.put(fuel=1.0)

    record = pilot.step(Act.TRAVEL_NEIGHBOR)

    assert record.info["end_reason"] == "stranded"
    assert record.event_data["stranded"] == {"node": 1}


def test_a_hull_at_zero_is_destroyed_and_wins_over_stranded(fly: Fly) -> None:
    pilot = fly(pirates=False)
    pilot.put(node=1, hull=1e-9, fuel=2.0)

    record = pilot.step(Act.ACTIVE_COOLDOWN)

    assert (record.info["destroyed"], record.info["stranded"]) == (True, True)
    assert record.info["end_reason"] == "destroyed"
    assert record.metrics[0][3] == 0.0


def test_destruction_wins_over_cashing_out(fly: Fly) -> None:
    pilot = fly()
    pilot.put(hull=0.0)

    record = pilot.step(Act.CASH_OUT_END_EPISODE)

    assert (record.info["end_reason"], record.info["destroyed"]) == ("destroyed", True)


def test_time_runs_out_as_a_truncation(fly: Fly) -> None:
    pilot = fly(time_max=2)

    first, second = pilot.step(Act.HOLD_DRIFT), pilot.step(Act.HOLD_DRIFT)

    assert (first.truncated, first.info["end_reason"]) == ((False,), None)
    assert (second.terminated, second.truncated) == ((False,), (True,))
    assert (second.info["end_reason"], second.info["time_remaining"]) == ("time_up", 0.0)
    assert second.metrics[0][3] == 1.0


def test_the_last_action_may_overrun_the_budget(fly: Fly) -> None:
    pilot = fly(time_max=1)

    record = pilot.step(Act.ACTIVE_COOLDOWN)

    assert (record.dt, record.info["ticks"], record.info["time_remaining"]) == (2, 2, 0.0)


def test_cashing_out_on_the_last_tick_is_no_truncation(fly: Fly) -> None:
    record = fly(time_max=1).step(Act.CASH_OUT_END_EPISODE)

    assert (record.terminated, record.truncated) == ((True,), (False,))


def test_a_copy_that_ends_is_reset_in_the_same_step(fly: Fly) -> None:
    pilot = fly(seed=11)
    last_fuel = pilot.put(fuel=555.0).ship.fuel

    pilot.step(Act.CASH_OUT_END_EPISODE)

    batch = pilot.batch
    assert (batch.terminated[0], batch.episode_start[0]) == (1, 1)
    assert batch.episode_seed(0) == episode_seed(11, 0, 1)
    assert pilot.state.ticks == 0
    assert batch.obs[0, 0] == 1.0
    assert batch.final_obs[0, 0] == pytest.approx(last_fuel / 1000.0)
