"""Saves: whole, checked, and without influence on the future."""

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from diorama.contracts.errors import DocumentError, StorageError
from diorama.contracts.values import canonical_json, sha256_hex
from diorama.worlds.tidebreak.campaign import Campaign
from diorama.worlds.tidebreak.campaign.diplomacy.wars import declare_war
from tests.worlds.tidebreak.campaign.quick_fight import quick_fight
from tests.worlds.tidebreak.campaign.stopping import pending


def test_the_same_seed_gives_the_same_document() -> None:
    texts = []
    for _ in range(2):
        campaign = Campaign(seed=5, player=None, fight=quick_fight)
        campaign.advance(40)
        texts.append(campaign.to_text())

    assert texts[0] == texts[1]


def test_another_seed_gives_another_campaign() -> None:
    first, second = (Campaign(seed=seed, player=None, fight=quick_fight) for seed in (5, 6))

    first.advance(3)
    second.advance(3)

    assert first.to_text() != second.to_text()


@pytest.mark.parametrize(("seed", "days"), [(2, (1, 17, 33)), (8, (5, 26, 39))])
def test_a_saved_campaign_has_the_future_it_would_have_had(seed: int, days: tuple[int, ...], tmp_path: Path) -> None:
    straight, saved = (Campaign(seed=seed, player=None, fight=quick_fight) for _ in range(2))
    for campaign in (straight, saved):
        declare_war(campaign.state, "dominion", "accord", cause=None)

    straight.advance(45)
    for day in days:
        saved.advance(day - saved.day)
        saved.save(tmp_path / "campaign.json")
        saved = Campaign.load(tmp_path / "campaign.json", fight=quick_fight)
    saved.advance(45 - saved.day)

    assert straight.state.battles
    assert saved.to_text() == straight.to_text()


@pytest.mark.slow
def test_saving_on_any_day_of_a_whole_campaign_changes_nothing() -> None:
    straight, saved = (Campaign(seed=14, player=None, fight=quick_fight) for _ in range(2))
    chance = random.Random(14)

    straight.play_to_end()
    while saved.ending is None:
        saved.advance(chance.randint(1, 20))
        saved = Campaign.from_text(saved.to_text(), fight=quick_fight)

    assert saved.to_text() == straight.to_text()


def test_a_battle_that_waits_survives_a_save(played: Campaign, tmp_path: Path) -> None:
    result = pending(played)
    played.save(tmp_path / "campaign.json")
    loaded = Campaign.load(tmp_path / "campaign.json", fight=quick_fight)

    assert played.pending_battle is not None
    assert loaded.pending_battle is not None
    assert loaded.pending_battle.package == played.pending_battle.package
    played.apply(result)
    loaded.apply(result)
    assert loaded.to_text() == played.to_text()


def test_a_save_replaces_the_last_one_and_leaves_nothing_behind(played: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "deep" / "campaign.json"
    played.save(path)
    played.advance()

    played.save(path)

    assert [entry.name for entry in path.parent.iterdir()] == ["campaign.json"]
    assert json.loads(path.read_text())["state"]["day"] == 1


def test_a_save_that_cannot_be_written_says_why(played: Campaign, tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("")

    with pytest.raises(StorageError, match="cannot be written"):
        played.save(blocker / "campaign.json")


@pytest.mark.parametrize(
    ("harm", "message"),
    [
        pytest.param(lambda text: text[: len(text) // 2], "is damaged or no campaign: not JSON", id="cut"),
        pytest.param(lambda text: text.replace("accord", "accorx", 1), "do not match their checksum", id="changed"),
        pytest.param(lambda text: text.replace("campaign.v1", "campaign.v9"), "format is 'campaign.v9'", id="version"),
        pytest.param(lambda _text: "[1, 2]", "format is None", id="list"),
        pytest.param(lambda _text: "", "not JSON", id="empty"),
    ],
)
def test_a_damaged_save_is_refused_with_its_name(
    played: Campaign, tmp_path: Path, harm: Callable[[str], str], message: str
) -> None:
    path = tmp_path / "campaign.json"
    path.write_text(harm(played.to_text()))

    with pytest.raises(DocumentError, match=message) as caught:
        Campaign.load(path)

    assert str(path) in str(caught.value)


def test_a_well_formed_save_with_a_wrong_value_names_the_place(played: Campaign) -> None:
    document = json.loads(played.to_text())
    document["state"]["hubs"][0]["population"] = "many"
    document["sha256"] = sha256_hex(canonical_json(document["state"]))

    with pytest.raises(DocumentError, match=r"state\.hubs\.0\.population"):
        Campaign.from_text(json.dumps(document))


def test_a_well_formed_save_without_a_state_says_so(played: Campaign) -> None:
    document = {**json.loads(played.to_text()), "state": [], "sha256": sha256_hex(canonical_json([]))}

    with pytest.raises(DocumentError, match=r"^save: state: it should be a dictionary"):
        Campaign.from_text(json.dumps(document))
