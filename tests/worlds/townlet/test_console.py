import pytest

from diorama.contracts.live.refusals import CommandError
from diorama.worlds.townlet.codes import Primitive
from diorama.worlds.townlet.events import EventKind
from diorama.worlds.townlet.reference.console.executing import COMMANDS, apply_console, execute
from diorama.worlds.townlet.reference.state import Town
from diorama.worlds.townlet.reference.words import state_words
from tests.worlds.townlet.towns import SOCIAL, at, of_kind, put_at, tick, town_of


@pytest.fixture
def town() -> Town:
    town = town_of(SOCIAL, population=3)
    tick(town)
    return town


def test_an_order_of_nothing_has_no_sign(town: Town) -> None:
    execute(town, "spawn", wallet=-0.0, needs={"hunger": -0.0})

    assert (str(town.citizen(3).wallet), str(town.citizen(3).needs[0])) == ("0.0", "0.0")


def test_a_spawned_citizen_is_as_it_was_ordered(town: Town) -> None:
    result = execute(
        town,
        "spawn",
        "nora",
        position=[10, 2],
        home="home_4",
        job="clerk",
        profile="stoic",
        needs={"hunger": 0.2},
        wallet=9.0,
        name="Nora",
    )

    assert result == {"agent_id": "nora", "position": [10, 2], "slot": 3, "home": "home_4"}
    nora = town.citizen(3)
    assert (nora.wallet, nora.needs, nora.profile) == (9.0, [0.2, 0.7, 0.7], 3)
    assert of_kind(town, town.events, EventKind.AGENT_SPAWN)[-1]["display_name"] == "Nora"
    execute(town, "spawn")
    assert town.citizen(4).number == 4


@pytest.mark.parametrize(
    ("command", "code", "reason"),
    [
        (("spawn", "citizen_000"), "invalid_args", "reserved_id"),
        (("spawn", "Nora"), "invalid_args", "arguments"),
        (("spawn", "nora", [14, 16]), "invalid_args", "blocked_tile"),
        (("spawn", "nora", None, "castle"), "invalid_args", "unknown_zone"),
        (("spawn", "nora", None, "home_1"), "conflict", "no_bed"),
        (("spawn", "nora", None, None, "king"), "invalid_args", "unknown_job"),
        (("teleport", "nobody", 1, 1), "not_found", "unknown_agent"),
        (("teleport", "citizen_000", 14, 16), "invalid_args", "blocked_tile"),
        (("teleport", "citizen_000", -1, 0), "invalid_args", "blocked_tile"),
        (("teleport", "citizen_000"), "usage", "arguments"),
        (("setneed", "citizen_000"), "usage", "nothing_given"),
        (("setneed", "citizen_000", "mood", 1), "invalid_args", "arguments"),
        (("setneed", "citizen_000", "hunger", float("nan")), "invalid_args", "arguments"),
        (("price", "gold", 1), "not_found", "unknown_price"),
        (("price", "meal_cost", -1), "invalid_args", "arguments"),
        (("force_chat", "citizen_000", "citizen_000"), "invalid_args", "same_agent"),
        (("set_rel", "citizen_000", "citizen_001"), "usage", "nothing_given"),
        (("arrange_meet", ["citizen_000", "nobody"]), "not_found", "unknown_agent"),
        (("arrange_meet", ["citizen_000", "citizen_001"], "moon"), "invalid_args", "unknown_zone"),
        (("utility", "gas", "off"), "invalid_args", "arguments"),
        (("perturbation_trigger", "comet"), "not_found", "unknown_spec"),
        (("employment_exit", "approve", "citizen_000"), "not_found", "not_pending"),
        (("employment_exit", "approve"), "usage", "missing_agent"),
        (("possess_act", "citizen_000", "Wait"), "conflict", "not_possessed"),
        (("set_spawn_delay", 9, 3), "invalid_args", "arguments"),
        (("set_death_threshold", "energy", 0.1, 5), "invalid_args", "arguments"),
        (("set_exit_cap", 51), "invalid_args", "arguments"),
        (("debug_queues", "piano"), "not_found", "unknown_object"),
        (("social_events", 101), "invalid_args", "arguments"),
        (("help", 1, 2, 3), "unsupported", "unknown_command"),
        (("kill", "citizen_000", "x", "y"), "usage", "too_many_arguments"),
    ],
)
def test_a_refused_command_says_why_and_changes_nothing(
    town: Town, command: tuple[object, ...], code: str, reason: str
) -> None:
    before = state_words(town)

    with pytest.raises(CommandError) as refusal:
        execute(town, str(command[0]), *command[1:])

    assert (refusal.value.code, refusal.value.reason) == (code, reason)
    assert (state_words(town) == before).all()


def test_teleporting_somebody_busy_needs_force(town: Town) -> None:
    citizen = town.citizen(0)
    put_at(town, citizen, "bed_1a")
    citizen.needs[2] = 0.2
    tick(town, {0: 5}, 2)
    assert citizen.is_running
    with pytest.raises(CommandError, match="use force"):
        execute(town, "teleport", "citizen_000", 10, 2)

    execute(town, "teleport", "citizen_000", 10, 2, force=True)

    assert (citizen.tile, citizen.is_running, citizen.ctx_reset) == (at(town, 10, 2), False, True)


def test_needs_are_set_within_bounds(town: Town) -> None:
    result = execute(town, "setneed", "citizen_000", needs={"hunger": 2.0, "energy": 0.4})

    assert result == {"applied": {"hunger": 1.0, "energy": 0.4}, "clamped": ["hunger"]}
    assert town.citizen(0).ctx_reset


def test_a_forced_chat_needs_no_neighborhood_and_no_draw(town: Town) -> None:
    draws = town.streams.world.draws

    result = execute(town, "force_chat", "citizen_000", "citizen_002", quality=0.5)

    assert town.streams.world.draws == draws
    assert result["citizen_000"] == {
        "other": "citizen_002",
        "trust": 0.025,
        "familiarity": 0.05,
        "rivalry": 0.0,
    }
    shown = execute(town, "social_events")["events"]
    assert isinstance(shown, list)
    assert shown[0]["agents"] == ["citizen_000", "citizen_002"]


def test_a_possessed_citizen_does_what_it_is_told(town: Town) -> None:
    citizen = town.citizen(0)
    put_at(town, citizen, "bench_1")
    assert execute(town, "possess", "citizen_000", "acquire") == {"possessed": ["citizen_000"]}
    with pytest.raises(CommandError, match="already"):
        execute(town, "possess", "citizen_000", "acquire")
    execute(town, "possess_act", "citizen_000", "MoveSouth")
    tile = citizen.tile

    tick(town, {0: 5})
    assert citizen.tile == tile + 48
    tick(town, {0: 5})
    assert citizen.last_primitive == Primitive.WAIT
    execute(town, "possess", "citizen_000", "release")

    assert citizen.ctx_reset
    assert not citizen.is_possessed


def test_a_sleeper_cannot_be_possessed(town: Town) -> None:
    citizen = town.citizen(0)
    put_at(town, citizen, "bed_1a")
    tick(town, {0: 5}, 2)

    with pytest.raises(CommandError, match="asleep"):
        execute(town, "possess", "citizen_000", "acquire")


def test_rules_change_at_run_time(town: Town) -> None:
    execute(town, "set_exit_cap", 7)
    execute(town, "set_spawn_delay", 1, 2)
    execute(town, "set_death_threshold", "hunger", 0.2, 3)
    town.citizen(0).needs[0] = 0.15
    tick(town, {}, 3)

    assert town.seats[0] is None
    assert town.rules.max_exits_per_day == town.rules.daily_exit_cap == 7
    assert 1 <= town.lifecycle.tickets[0].due_tick - (town.tick - 1) <= 2


def test_envelopes_are_answered_one_by_one(town: Town) -> None:
    answers = apply_console(
        town,
        [
            {"name": "price", "args": ["shower_cost", 0.1], "cmd_id": "a1"},
            {"name": "teleport", "kwargs": {"agent_id": "x", "x": 1, "y": 1}},
            {"nam": "kill"},
            {"name": "spawn", "kwargs": {"name": "Zed"}},
        ],
    )

    assert [answer["status"] for answer in answers] == ["ok", "error", "error", "ok"]
    assert (answers[0]["cmd_id"], answers[0]["tick"]) == ("a1", 1)
    error = answers[1]["error"]
    assert isinstance(error, dict)
    assert error["code"] == "not_found"


@pytest.mark.parametrize("name", [name for name, command in COMMANDS.items() if command.role == "viewer"])
def test_what_viewers_may_ask_changes_nothing(town: Town, name: str) -> None:
    execute(town, "force_chat", "citizen_000", "citizen_002")
    before = state_words(town)

    assert execute(town, name)

    assert (state_words(town) == before).all()


def test_every_command_knows_its_usage() -> None:
    assert COMMANDS["teleport"].usage == "teleport agent_id x y [force=False]"
    assert all(command.summary.endswith(".") for command in COMMANDS.values())
