"""What a viewer is shown: the host as a line of stations, several hosts, refusals in words, and advice."""

import pytest

from diorama.contracts.values import JsonObject
from diorama.worlds.morphogenesis.contract import RELEVANCE, describe
from diorama.worlds.morphogenesis.contracts.actions import PLACEHOLDERS, LifecycleOp
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction
from diorama.worlds.morphogenesis.controller.choices import compose
from diorama.worlds.morphogenesis.data.tasks import TASKS
from diorama.worlds.morphogenesis.engine.world import MorphogenesisWorld
from diorama.worlds.morphogenesis.explanations import explain_mask
from diorama.worlds.morphogenesis.host_flow import host_flow
from diorama.worlds.morphogenesis.reasons import in_words
from diorama.worlds.morphogenesis.render import render_state
from tests.worlds.morphogenesis.small_worlds import rows, small_world

PLANT = compose(LifecycleOp.GERMINATE, 1, blueprint=BlueprintAction.NORM)
ADVANCE = compose(LifecycleOp.ADVANCE, 1)


def drawn(world: MorphogenesisWorld, row: int = 0) -> JsonObject:
    return render_state(world.nursery, row)


def advised(world: MorphogenesisWorld) -> JsonObject:
    advice = drawn(world)["advice"]
    assert isinstance(advice, dict)
    assert advice["why"]
    choice: JsonObject = advice["choice"]
    return choice


@pytest.mark.parametrize("name", TASKS)
def test_the_stations_of_a_host_hold_its_slots_in_the_order_features_meet_them(name: str) -> None:
    task = TASKS[name]

    flow = host_flow(task, task.slots)
    slots = [station["slot_id"] for station in flow if station["kind"] == "slot"]

    assert (flow[0]["kind"], flow[-1]["kind"], flow[-1]["width"]) == ("input", "output", task.num_classes)
    assert sorted(slots, key=str) == sorted(task.slots)
    assert slots == sorted(slots, key=lambda slot_id: (str(slot_id)[2:], str(slot_id)[:2]))


def test_slots_that_are_not_enabled_are_no_stations() -> None:
    flow = host_flow(TASKS["shapes_baseline"], ("r1c0",))

    assert [station["slot_id"] for station in flow if station["kind"] == "slot"] == ["r1c0"]
    assert [station["width"] for station in flow if station["kind"] == "block"] == [8, 16, 32]


def test_several_hosts_are_told_beside_each_other_and_one_alone_is_not() -> None:
    pair, alone = small_world(envs=2), small_world()
    pair.reset(0)
    alone.reset(0)
    pair.step(rows(PLACEHOLDERS, PLANT))

    hosts = drawn(pair, 1)["hosts"]

    assert isinstance(hosts, list)
    assert [host["env_id"] for host in hosts] == [0, 1]
    assert [host["seeds"] for host in hosts] == [[None] * 3, [None, ["GERMINATED", 0.0], None]]
    assert drawn(alone)["hosts"] == []


def test_the_rules_advise_what_the_moment_calls_for() -> None:
    world = small_world({"max_epochs": 30, "stabilization_epochs": 0, "plateau_threshold": 100.0})
    world.reset(0)
    opening = advised(world)
    for _ in range(4):
        world.step(rows(PLACEHOLDERS))
    planting = advised(world)
    world.step(rows(PLANT))

    assert opening == {"op": "WAIT"}
    assert planting == {
        "slot": "r0c0",
        "blueprint": "conv_light",
        "style": "SIGMOID_ADD",
        "tempo": "STANDARD",
        "alpha_target": "FULL",
        "op": "GERMINATE",
    }
    assert advised(world) == {"slot": "r0c1", "op": "ADVANCE"}


def test_blueprints_that_are_advised_go_on_behind_the_last_one() -> None:
    world = small_world({"max_epochs": 30, "stabilization_epochs": 0, "plateau_threshold": 100.0, "min_prune_age": 0})
    world.reset(0)
    world.step(rows(PLANT))
    world.step(rows(compose(LifecycleOp.PRUNE, 1)))
    while advised(world)["op"] == "WAIT":
        world.step(rows(PLACEHOLDERS))

    assert advised(world)["blueprint"] == "depthwise"


def test_an_operation_that_has_no_slot_is_refused_slot_by_slot_and_in_words() -> None:
    world = small_world({"max_epochs": 30})
    world.reset(0)
    world.step(rows(PLANT))
    world.step(rows(ADVANCE))

    reasons = explain_mask(drawn(world), 0)
    by_op = dict(zip(LifecycleOp, reasons[-len(LifecycleOp) :], strict=True))

    assert by_op[LifecycleOp.ADVANCE].startswith("r0c1: it has trained 1 of 4 epochs")
    assert by_op[LifecycleOp.WAIT] == ""
    assert by_op[LifecycleOp.GERMINATE].startswith("r0c0: slot r0c1 is TRAINING")


def test_checks_of_gates_become_words_and_other_refusals_stay() -> None:
    checks = "insufficient_training_2_of_10, exploding_gradients, gradient_health_low_0.42"

    assert in_words(checks) == (
        "it has trained 2 of 10 epochs, its gradients explode, the health of its gradients is 0.42"
    )
    assert in_words("improvement_insufficient_-1.50") == "it has brought -1.50 points since the stage began"
    assert in_words("") == ""
    assert in_words("the slot is empty") == "the slot is empty"


def test_the_contract_tells_which_heads_matter_to_which_operation() -> None:
    spec = describe(small_world().nursery.config)

    assert spec.relevance is RELEVANCE
    assert dict(RELEVANCE.heads)["PRUNE"] == ("slot", "alpha_speed", "alpha_curve")
