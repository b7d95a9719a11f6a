"""A killed live world: whatever the moment, every file is whole, and it goes on where it was."""

import random
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.operate.live.killed_worlds import check_files, continued, kill_again_and_again, living, log_of
from tests.processes import address_in, ask, kill

TOKEN = "a-token-for-olga-0123"
TOWN = {
    "config_id": "killed",
    "features": {"console": {"mode": "admin"}},
    "rewards": {},
    "console_auth": {"enabled": True, "tokens": [{"label": "olga", "role": "admin", "token": TOKEN}]},
    "console": {"rate_limit_per_minute": 1000000},
}


@pytest.mark.e2e
@pytest.mark.parametrize(
    ("world", "policy", "seed", "kills"),
    [
        pytest.param("prospector", "prudent_hauler", 5, 1, id="once"),
        pytest.param("townlet", "scripted", 7, 6, id="town-1", marks=pytest.mark.slow),
        pytest.param("townlet", "scripted", 4099, 6, id="town-2", marks=pytest.mark.slow),
        pytest.param("townlet", "novice", 23, 6, id="recurrent-town", marks=pytest.mark.slow),
        pytest.param("prospector", "prudent_hauler", 31, 6, id="script-with-memory", marks=pytest.mark.slow),
        pytest.param("prospector", "novice", 8191, 6, id="recurrent-pilot", marks=pytest.mark.slow),
        pytest.param("tidebreak", "ambusher", 5, 6, id="fleet", marks=pytest.mark.slow),
        pytest.param("gameboy", "random", 13, 6, id="random-keys", marks=pytest.mark.slow),
    ],
)
def test_a_world_killed_at_random_ticks_equals_one_that_never_was(
    world: str, policy: str, seed: int, kills: int, tmp_path: Path
) -> None:
    ticks = kill_again_and_again(tmp_path, world, policy, rounds=kills, chance=random.Random(seed))

    assert len(ticks) == kills
    assert ticks == sorted(ticks)


@pytest.mark.e2e
def test_stories_announced_before_a_kill_count_after_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DIORAMA_CONSOLE_TOKEN", TOKEN)
    killed = tmp_path / "killed"
    with living(killed, "prospector", "--policy", "idle", "--port", "0", "--speed", "pause") as process:
        url = f"{address_in(log_of(killed), process)}/api/v1/worlds/prospector/console"
        told = [
            ask(url, {"name": "announce_story", "args": [story], "cmd_id": story}, token=TOKEN)[1]["result"]["status"]
            for story in ("a fair", "rain")
        ]
        kill(process)

    again = continued(killed, "prospector")

    narration = again.publisher.export()["narration"]
    assert isinstance(narration, dict)
    assert told == ["queued", "throttled"]
    assert (narration["published"], narration["throttled"]) == (1, 1)
    again.close()


@pytest.mark.slow
def test_no_command_that_was_acknowledged_is_lost_by_a_kill(tmp_path: Path) -> None:
    chance = random.Random(11)
    config, killed = tmp_path / "town.yaml", tmp_path / "killed"
    config.write_text(yaml.safe_dump(TOWN))
    served = ("--config-file", str(config), "--port", "0")
    answered: dict[str, Any] = {}
    resume: tuple[str, ...] = ()
    for attempt in range(3):
        with living(killed, "townlet", *served, "--speed", "10x", *resume) as process:
            url = address_in(log_of(killed), process)
            for number in range(chance.randrange(5, 40)):
                cmd_id = f"{attempt}-{number}"
                answered[cmd_id] = _give(url, cmd_id, round(chance.uniform(0.1, 2.0), 3))
            kill(process)
        check_files(killed)
        resume = ("--resume",)

    with living(killed, "townlet", *served, "--speed", "pause", *resume) as process:
        url = address_in(log_of(killed), process)
        for cmd_id, before in answered.items():
            assert _give(url, cmd_id, before["args"][1])["answer"] == {**before["answer"], "replayed": True}


def _give(url: str, cmd_id: str, price: float) -> dict[str, Any]:
    envelope = {"name": "price", "args": ["meal_cost", price], "cmd_id": cmd_id}
    status, answer = ask(f"{url}/api/v1/worlds/townlet/console", envelope, token=TOKEN)
    assert status == 200, answer
    return {"args": envelope["args"], "answer": answer}
