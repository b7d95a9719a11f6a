"""Campaigns over HTTP: begun, played, fought, kept across restarts, and never confused by bad input."""

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.loopback import serving

ABSENT = "0" * 12


@pytest.fixture
def root(tmp_path: Path) -> Path:
    runs = tmp_path / "runs"
    runs.mkdir()
    return runs


@pytest.fixture
def client(root: Path) -> Iterator[httpx.Client]:
    with serving(root) as server, httpx.Client(base_url=server.base_url, timeout=60) as opened:
        yield opened


def begin(client: httpx.Client, **body: Any) -> dict[str, Any]:
    answer = client.post("/api/campaigns", json={"seed": 1, "player": "accord", **body})
    assert answer.status_code == 200, answer.text
    state: dict[str, Any] = answer.json()
    return state


def play_to_battle(client: httpx.Client, campaign: str) -> dict[str, Any]:
    """Give no orders until the others come."""
    for _ in range(12):
        state: dict[str, Any] = client.post(f"/api/campaigns/{campaign}/advance", json={"days": 30}).json()["state"]
        if state["view"]["pending_battle"] is not None:
            return state
    raise AssertionError("no battle came in a year")


def test_a_campaign_is_begun_ordered_and_advanced(client: httpx.Client) -> None:
    scenario = client.get("/api/campaign-scenarios").json()["scenarios"][0]
    assert scenario["id"] == "two_powers"
    assert [faction["id"] for faction in scenario["factions"]] == ["accord", "dominion"]

    state = begin(client, name="My war")
    campaign = state["campaign_id"]
    assert state["view"]["view_version"] == 1
    assert state["view"]["day"] == 0

    orders = client.get(f"/api/campaigns/{campaign}/orders").json()
    move = next(order for order in orders["orders"] if order["verb"] == "move")
    change = client.post(f"/api/campaigns/{campaign}/orders", json={"order": move["code"]}).json()
    assert change["done"]
    assert change["state"]["view"]["orders_left"]["fleet"] == orders["orders_left"]["fleet"] - 1

    advanced = client.post(f"/api/campaigns/{campaign}/advance", json={"days": 3}).json()
    assert advanced["days"] == 3
    assert advanced["state"]["view"]["day"] == 3
    row = client.get("/api/campaigns").json()["campaigns"][0]
    assert (row["name"], row["day"], row["player_name"]) == ("My war", 3, "Thalassic Accord")


def test_a_campaign_survives_a_restart_and_goes_on_as_if_there_had_been_none(root: Path) -> None:
    with serving(root) as server, httpx.Client(base_url=server.base_url, timeout=60) as client:
        campaign = begin(client)["campaign_id"]
        client.post(f"/api/campaigns/{campaign}/advance", json={"days": 5})
        before = client.get(f"/api/campaigns/{campaign}").json()
        save = client.get(f"/api/campaigns/{campaign}/save").text

    with serving(root) as server, httpx.Client(base_url=server.base_url, timeout=60) as client:
        assert client.get(f"/api/campaigns/{campaign}").json() == before
        assert client.get(f"/api/campaigns/{campaign}/save").text == save
        kept = client.post(f"/api/campaigns/{campaign}/advance", json={"days": 5}).json()["state"]["view"]
        straight = begin(client)["campaign_id"]
        client.post(f"/api/campaigns/{straight}/advance", json={"days": 10})
        assert client.get(f"/api/campaigns/{straight}").json()["view"] == kept


def test_a_battle_waits_and_is_fought(client: httpx.Client) -> None:
    campaign = begin(client)["campaign_id"]
    assert client.get(f"/api/campaigns/{campaign}/battle").status_code == 409
    waiting = play_to_battle(client, campaign)["view"]["pending_battle"]

    for path, body in (("advance", {}), ("orders", {"order": "stance fleet-1 HOLD"})):
        refused = client.post(f"/api/campaigns/{campaign}/{path}", json=body)
        assert refused.status_code == 409
        assert "a battle waits" in refused.json()["detail"]
    pending = client.get(f"/api/campaigns/{campaign}/battle").json()
    assert pending["package"]["battle_id"] == waiting["battle_id"]
    assert client.post(f"/api/campaigns/{campaign}/battle/fight", json={"own_script": "nonsense"}).status_code == 400
    unknown = {"scripts": {"no-such-ship": "kiter"}}
    assert client.post(f"/api/campaigns/{campaign}/battle/fight", json=unknown).status_code == 400
    assert client.post(f"/api/campaigns/{campaign}/battle/result", json={"result": {"a": 1}}).status_code == 422

    change = client.post(f"/api/campaigns/{campaign}/battle/fight", json={"own_script": "evader"}).json()
    state = change["state"]
    assert state["view"]["pending_battle"] is None
    assert state["view"]["battles"][-1]["battle_id"] == waiting["battle_id"]
    recording = next(one for one in state["recordings"] if one["battle_id"] == waiting["battle_id"])
    assert recording["status"] in {"waiting", "recording"}
    assert client.post(f"/api/campaigns/{campaign}/battle/fight").status_code == 409
    unheard = client.post(f"/api/campaigns/{campaign}/battles/another/replay")
    assert unheard.status_code == 404
    assert waiting["battle_id"] in unheard.json()["detail"]


@pytest.mark.slow
def test_a_battle_that_was_fought_can_be_watched(client: httpx.Client) -> None:
    campaign = begin(client)["campaign_id"]
    battle = play_to_battle(client, campaign)["view"]["pending_battle"]["battle_id"]
    state = client.post(f"/api/campaigns/{campaign}/battle/fight").json()["state"]
    summary = state["view"]["battles"][-1]
    while (recording := client.post(f"/api/campaigns/{campaign}/battles/{battle}/replay").json())["status"] != "ready":
        assert recording["status"] in {"waiting", "recording"}, recording["problem"]
        time.sleep(1)

    replays = client.get(f"/api/runs/{recording['run_id']}/replays").json()["replays"]
    assert [replay["replay_id"] for replay in replays] == [recording["replay_id"]]
    minutes = replays[0]["ticks"] / 60
    assert f" {minutes:.0f} minutes" in summary["summary"], "the battle that is watched is the one that was fought"


def test_saves_go_down_and_up(client: httpx.Client) -> None:
    first = begin(client)
    answer = client.get(f"/api/campaigns/{first['campaign_id']}/save")
    assert answer.headers["content-disposition"].startswith('attachment; filename="two_powers-')

    second = client.post("/api/campaign-saves", json={"save": answer.text, "name": "Again"}).json()
    assert second["campaign_id"] != first["campaign_id"]
    assert second["view"] == first["view"]

    client.delete(f"/api/campaigns/{first['campaign_id']}")
    assert [row["name"] for row in client.get("/api/campaigns").json()["campaigns"]] == ["Again"]
    assert client.get(f"/api/campaigns/{first['campaign_id']}").status_code == 404


DAMAGED = ["no JSON", "[]", '{"format":"campaign.v1"}', '{"format":"campaign.v1","state":NaN}', "[" * 50_000]


@pytest.mark.parametrize("save", DAMAGED, ids=["words", "list", "empty", "no-number", "deep"])
def test_a_damaged_save_is_refused(client: httpx.Client, save: str) -> None:
    refused = client.post("/api/campaign-saves", json={"save": save})
    assert refused.status_code == 422
    assert refused.json()["detail"].startswith("body.save: ")
    assert client.get("/api/campaigns").json()["count"] == 0


def test_a_save_that_was_changed_by_hand_is_refused(client: httpx.Client) -> None:
    document = json.loads(client.get(f"/api/campaigns/{begin(client)['campaign_id']}/save").text)
    document["state"]["day"] = 300
    refused = client.post("/api/campaign-saves", json={"save": json.dumps(document)})
    assert refused.status_code == 422
    assert "checksum" in refused.json()["detail"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"scenario": "nowhere"}, 404),
        ({"world": "prospector"}, 404),
        ({"player": "pirates"}, 404),
        ({"seed": 0}, 422),
        ({"seed": 2**53}, 422),
        ({"seed": "1"}, 422),
        ({"name": " "}, 422),
        ({"other": 1}, 422),
    ],
)
def test_what_cannot_be_begun_is_refused(client: httpx.Client, body: dict[str, Any], status: int) -> None:
    refused = client.post("/api/campaigns", json=body)
    assert refused.status_code == status
    assert refused.json()["detail"]


def test_bad_orders_and_addresses_are_refused(client: httpx.Client) -> None:
    campaign = begin(client)["campaign_id"]
    for order in ("dance", "move fleet-1", "move fleet-99 narrows", "move fleet-2 narrows", "move fleet-1 atlantis"):
        refused = client.post(f"/api/campaigns/{campaign}/orders", json={"order": order})
        assert refused.status_code == 422, order
    for days in (0, -1, 31, 1.5):
        assert client.post(f"/api/campaigns/{campaign}/advance", json={"days": days}).status_code == 422
    for address in (ABSENT, "..%2F..%2Fetc", "x" * 300):
        assert client.get(f"/api/campaigns/{address}").status_code in {404, 422}
        assert client.delete(f"/api/campaigns/{address}").status_code in {404, 422}
    assert client.get(f"/api/campaigns/{campaign}").json()["view"]["day"] == 0


def test_one_caller_at_a_time_plays_a_campaign(root: Path) -> None:
    with serving(root) as server, httpx.Client(base_url=server.base_url, timeout=60) as client:
        campaign = begin(client)["campaign_id"]
        server.services.campaigns.opened._entries[campaign].is_played = True
        for call in (
            client.post(f"/api/campaigns/{campaign}/advance"),
            client.delete(f"/api/campaigns/{campaign}"),
        ):
            assert call.status_code == 409
            assert "is being played" in call.json()["detail"]
        assert client.get(f"/api/campaigns/{campaign}").json()["is_played"] is True


def test_only_so_many_campaigns_are_kept_and_idle_ones_leave_memory(root: Path) -> None:
    with (
        serving(root, campaigns_max=2, campaign_idle_seconds=0) as server,
        httpx.Client(base_url=server.base_url, timeout=60) as client,
    ):
        kept = [begin(client)["campaign_id"] for _ in range(2)]
        refused = client.post("/api/campaigns", json={})
        assert refused.status_code == 429
        assert "2 campaigns" in refused.json()["detail"]
        assert client.get(f"/api/campaigns/{kept[0]}").status_code == 200
        assert len(server.services.campaigns.opened) == 1


def test_a_broken_file_is_named_and_harms_no_other(root: Path) -> None:
    with serving(root) as server, httpx.Client(base_url=server.base_url, timeout=60) as client:
        good = begin(client)["campaign_id"]
        directory = root.parent / "campaigns"
        shutil.copy(directory / f"{good}.json", directory / "notes.json")
        (directory / f"{ABSENT}.json").write_text('{"format": "diorama-campaign-1"', encoding="utf-8")
        rows = {row["campaign_id"]: row for row in client.get("/api/campaigns").json()["campaigns"]}
        assert set(rows) == {good, ABSENT}
        assert rows[good]["problem"] is None
        assert str(directory) not in rows[ABSENT]["problem"]
        broken = client.get(f"/api/campaigns/{ABSENT}")
        assert broken.status_code == 500
        assert str(directory) not in broken.json()["detail"]
