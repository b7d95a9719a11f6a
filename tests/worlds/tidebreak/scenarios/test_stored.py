import pytest

from diorama.contracts.errors import UnknownName
from diorama.worlds.tidebreak.codes import Layer, ObjectiveType
from diorama.worlds.tidebreak.content import shipped_content
from diorama.worlds.tidebreak.resolve import resolve
from diorama.worlds.tidebreak.scenarios import (
    EVALUATION_SUITE,
    PAIRINGS,
    Pairing,
    battle_seed,
    load_scenario,
    pairing_package,
    random_battle,
    reseeded,
    scenario_names,
)
from diorama.worlds.tidebreak.scenarios.forces import fleet_cost


@pytest.mark.parametrize("name", scenario_names())
def test_every_stored_scenario_resolves(name: str) -> None:
    assert resolve(load_scenario(name)).warnings == ()


def test_the_evaluation_suite_is_stored() -> None:
    assert len(EVALUATION_SUITE) == 8
    assert set(scenario_names()) == {*EVALUATION_SUITE, "demo"}


def test_an_unknown_scenario_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownName, match=r"no scenario is called 'atlantis'; there are: .*demo"):
        load_scenario("atlantis")


def test_another_seed_changes_nothing_else() -> None:
    package = load_scenario("demo")

    assert reseeded(package, 9) == package.model_copy(update={"seed": 10})


@pytest.mark.parametrize(
    ("episode", "seed"), [(0, 1), (2**53 - 2, 2**53 - 1), (2**53 - 1, 1), (-1, 1 + (2**64 - 1) % (2**53 - 1))]
)
def test_an_episode_seed_becomes_a_package_seed(episode: int, seed: int) -> None:
    assert battle_seed(episode) == seed


@pytest.mark.parametrize("pairing", PAIRINGS, ids=lambda pairing: pairing.name)
def test_every_pairing_resolves(pairing: Pairing) -> None:
    package = pairing_package(pairing, 3)

    battle = resolve(package).battle

    assert battle.rules.time_limit_ticks == 1800
    assert {unit.start.x for unit in battle.units} == {-6000.0, 6000.0}
    assert sum(pairing.outcome) in range(98, 102)


def test_most_pairings_cost_the_same_within_a_tenth() -> None:
    content = shipped_content()

    def cost(side: tuple[tuple[str, int], ...]) -> float:
        return fleet_cost([name for name, count in side for _ in range(count)], content)

    fair = [pairing for pairing in PAIRINGS if abs(cost(pairing.left) / cost(pairing.right) - 1.0) <= 0.1]

    assert len(PAIRINGS) == 15
    assert len(fair) >= 13


def test_random_battles_cover_everything_the_tiers_must_agree_on() -> None:
    content = shipped_content()
    packages = [random_battle(seed) for seed in range(50)]
    ships = [ship for package in packages for ship in package.ships]
    units = [unit for package in packages for unit in resolve(package).battle.units]

    assert {ship.class_id for ship in ships} == set(content.classes)
    assert {mount.weapon for unit in units for mount in unit.mounts} == set(range(len(content.weapons)))
    assert {ship.initial_state.layer for ship in ships} == set(Layer)
    assert {ship.objective.type for ship in ships if ship.objective is not None} == set(ObjectiveType)
    assert {unit.hull.boarding_tier for unit in units} == {0, 1, 2}
    assert {package.time_step_s for package in packages} == {0.05, 0.1, 0.2, 0.25, 0.5}
