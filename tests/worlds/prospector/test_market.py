from math import exp, pi, sin, sqrt

import pytest

from diorama.rng import Pcg32
from diorama.worlds.prospector.contract import COMMODITIES, Act
from diorama.worlds.prospector.reference.constants import PRICE_BASE, PRICE_MAX, PRICE_MIN
from diorama.worlds.prospector.reference.state import State
from tests.worlds.prospector.conftest import Fly
from tests.worlds.prospector.pilot import QUIET

PGE = COMMODITIES.index("pge")
QUARTER, HALF, ALL = 0, 1, 2


def sell(commodity: int, bucket: int) -> int:
    return Act.SELL_COMMODITY + 3 * commodity + bucket


def expected_prices(before: State, dt: int, *, has_impact: bool = True, has_noise: bool = True) -> list[float]:
    """Prices after a step of `dt` ticks whose first draws are the market's."""
    market, rng = before.market, Pcg32(before.rng.state, before.rng.inc)
    prices = []
    for c, base in enumerate(PRICE_BASE):
        noise = rng.normal(0.0, 0.03 * base * sqrt(dt))
        price = base + market.amp[c] * sin(2 * pi * ((before.ticks + dt) / market.period[c]) + market.phase[c])
        price -= (0.04 * market.inventory[c] + 0.05 * market.recent_sales[c]) * has_impact
        prices.append(min(PRICE_MAX[c], max(PRICE_MIN[c], price + noise * has_noise)))
    return prices


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        pytest.param({}, {}, id="everything-on"),
        pytest.param({"price_impact": False}, {"has_impact": False}, id="no-impact"),
        pytest.param({"market_noise": False}, {"has_noise": False}, id="no-noise"),
    ],
)
@pytest.mark.parametrize(("action", "dt"), [(Act.DOCK, 1), (Act.ACTIVE_COOLDOWN, 2)], ids=["one-tick", "two-ticks"])
def test_prices_cycle_jitter_and_give_way(
    fly: Fly, config: dict[str, bool], expected: dict[str, bool], action: int, dt: int
) -> None:
    pilot = fly(**config)
    with pilot.edit() as state:
        state.ticks = 321
        state.market.recent_sales = [10.0, 20.0, 30.0, 40.0, 50.0, 60.0]
    before = pilot.state

    record = pilot.step(action)

    after = pilot.state.market
    assert after.price == pytest.approx(expected_prices(before, dt, **expected), abs=1e-9)
    assert after.prev_price == before.market.price
    assert after.recent_sales == pytest.approx([units * exp(-dt / 14) for units in before.market.recent_sales])
    assert after.inventory == pytest.approx([units * 0.998**dt for units in before.market.inventory])
    assert record.draws - before.rng.draws == 12


def test_prices_stay_in_their_bands(fly: Fly) -> None:
    pilot = fly()
    with pilot.edit() as state:
        state.market.amp = [500.0] * 6

    for _ in range(60):
        pilot.step(Act.DOCK)

        for price, low, high in zip(pilot.state.market.price, PRICE_MIN, PRICE_MAX, strict=True):
            assert low <= price <= high


@pytest.mark.parametrize("bucket", [QUARTER, HALF, ALL])
def test_a_sale_slips_with_its_share_of_the_stock(fly: Fly, bucket: int) -> None:
    pilot = fly()
    before = pilot.put(cargo=[0.0, 0.0, 0.0, 80.0, 0.0, 0.0])
    market = before.market
    units = 80.0 * (0.25, 0.5, 1.0)[bucket]
    ratio = units / (market.inventory[PGE] + units)
    slippage = 0.25 * ratio + 0.20 * sqrt(ratio)

    record = pilot.step(sell(PGE, bucket))

    revenue = units * market.price[PGE] * (1 - slippage)
    assert record.event_data["sell"] == {
        "commodity": "pge",
        "units": units,
        "price": market.price[PGE],
        "slippage": pytest.approx(slippage),
        "revenue": pytest.approx(revenue),
    }
    after = pilot.state
    assert after.ship.credits == after.counters.gross_revenue == pytest.approx(revenue)
    assert after.ship.cargo[PGE] == 80.0 - units
    assert after.market.inventory[PGE] == pytest.approx((market.inventory[PGE] + units) * 0.998)
    assert after.market.recent_sales[PGE] == pytest.approx(units * exp(-1 / 14))


def test_a_sale_into_an_empty_market_slips_by_less_than_half(fly: Fly) -> None:
    pilot = fly()
    with pilot.edit() as state:
        state.market.inventory[PGE], state.ship.cargo[PGE] = 0.0, 200.0

    record = pilot.step(sell(PGE, ALL))

    assert record.event_data["sell"]["slippage"] == pytest.approx(0.45)


def test_a_tiny_sale_counts_against_at_least_one_unit_of_stock(fly: Fly) -> None:
    pilot = fly()
    with pilot.edit() as state:
        state.market.inventory[PGE], state.ship.cargo[PGE] = 0.0, 0.25

    record = pilot.step(sell(PGE, ALL))

    assert record.event_data["sell"]["slippage"] == pytest.approx(0.25 * 0.25 + 0.20 * 0.5)


def test_without_price_impact_a_sale_brings_the_full_price(fly: Fly) -> None:
    pilot = fly(price_impact=False)
    before = pilot.put(cargo=[0.0, 0.0, 0.0, 80.0, 0.0, 0.0])

    record = pilot.step(sell(PGE, ALL))

    assert record.event_data["sell"]["slippage"] == 0.0
    assert pilot.state.ship.credits == 80.0 * before.market.price[PGE]


def test_a_sale_lowers_the_next_price(fly: Fly) -> None:
    pilot = fly()
    pilot.put(cargo=[0.0, 0.0, 0.0, 200.0, 0.0, 0.0])
    moment = pilot.batch.snapshot(0)

    pilot.step(Act.DOCK)
    price_held = pilot.state.market.price[PGE]
    pilot.batch.restore(0, moment)
    pilot.step(sell(PGE, ALL))

    # Both steps draw the same noise, so the difference is the pressure of 200 units in stock and just sold.
    assert price_held - pilot.state.market.price[PGE] == pytest.approx(200 * (0.04 + 0.05))


def test_selling_a_big_hold_in_quarters_earns_more_than_dumping_it(fly: Fly) -> None:
    pilot = fly(market_noise=False)
    with pilot.edit() as state:
        state.ship.cargo[PGE] = 180.0
        state.market.amp = [0.0] * 6
    moment = pilot.batch.snapshot(0)
    pilot.step(sell(PGE, ALL))
    dumped = pilot.state.ship.credits
    pilot.batch.restore(0, moment)

    for _ in range(20):
        pilot.step(sell(PGE, QUARTER))

    assert pilot.state.ship.credits > dumped


def test_inventory_decays_by_ticks_not_by_steps(fly: Fly) -> None:
    pilot = fly(**QUIET)
    pilot.put(node=1, selection=0)
    moment = pilot.batch.snapshot(0)
    pilot.step(Act.DEEP_SCAN_SELECTED)
    four_ticks_at_once = pilot.state.market.inventory
    pilot.batch.restore(0, moment)

    for _ in range(4):
        pilot.step(Act.HOLD_DRIFT)

    assert pilot.state.market.inventory == pytest.approx(four_ticks_at_once, abs=1e-12)


def test_price_noise_does_not_accumulate(fly: Fly) -> None:
    noisy, smooth = fly(), fly(market_noise=False)
    differences = []

    for _ in range(80):
        noisy.step(Act.DOCK)
        smooth.step(Act.DOCK)
        differences.append(noisy.state.market.price[PGE] - smooth.state.market.price[PGE])

    spread = 0.03 * PRICE_BASE[PGE]
    assert max(abs(difference) for difference in differences) < 5 * spread
    assert noisy.batch.step_record(0).draws == smooth.batch.step_record(0).draws
