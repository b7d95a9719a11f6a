"""`diorama tidebreak campaign`: a campaign from the command line."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from diorama.cli.tidebreak.campaign import campaign_app
from diorama.contracts.errors import ConfigError, ContractError, DioramaError, DocumentError
from diorama.worlds.tidebreak.campaign import Campaign
from diorama.worlds.tidebreak.campaign.diplomacy.wars import declare_war
from tests.worlds.tidebreak.campaign.quick_fight import quick_fight
from tests.worlds.tidebreak.campaign.stopping import pending

app = typer.Typer()
app.add_typer(campaign_app, name="campaign")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "campaign.json"


def run(file: Path, *arguments: str) -> str:
    """Run a command and return what it printed; errors come through as they are."""
    outcome = CliRunner().invoke(app, ["campaign", *arguments, "--file", str(file)])
    if isinstance(outcome.exception, DioramaError):
        raise outcome.exception
    assert outcome.exit_code == 0, outcome.output
    return outcome.output


def test_a_campaign_is_begun_looked_at_and_played(file: Path) -> None:
    begun = run(file, "new", "--seed", "7")
    orders = run(file, "orders", "build")
    given = run(file, "order", "propose", "new_providence", "BUILD", "corvette")
    moved = run(file, "order", "move", "fleet-1", "narrows")
    run(file, "day", "3", "--no-stop")
    overview = run(file, "report")

    assert "you lead the Thalassic Accord" in begun
    assert "@ New Providence (accord) [1A]" in begun
    assert "propose new_providence BUILD corvette" in orders
    assert "Orders left today: 6 to fleets, 1 of policy" in given
    assert "First Accord Fleet sails for Narrows" in moved
    assert "Day 3 of 360" in overview
    assert "Narrows [1A]" in overview


def test_news_orders_and_reports_are_there_for_programs(file: Path) -> None:
    run(file, "new", "--player", "none")

    day = json.loads(run(file, "day", "5", "--format", "json"))
    view = json.loads(run(file, "report", "--format", "json"))
    orders = json.loads(run(file, "orders", "--format", "json"))

    assert day["day"] == view["day"] == 5
    assert view["player"] is None
    assert orders == []


@pytest.mark.parametrize(
    "what",
    ["map", "hubs", "fleets", "routes", "factions", "missions", "people", "score", "news", "ironhold", "fleet-2"],
)
def test_every_part_of_the_picture_can_be_shown(file: Path, what: str) -> None:
    run(file, "new")

    assert run(file, "report", what).strip()


def test_a_player_stops_for_offers_and_learns_why_things_happen(file: Path) -> None:
    run(file, "new", "--seed", "7")

    told = run(file, "day", "40")
    why = run(file, "report", "why", "13")

    assert "order accept 1 or decline 1" in told
    assert "It is the evening of day 15" in told
    assert "because day" in why


def test_a_battle_is_shown_handed_over_and_applied_once(file: Path, tmp_path: Path) -> None:
    campaign = Campaign(seed=3, player="accord", fight=quick_fight)
    result = pending(campaign)
    campaign.save(file)
    package, outcome = tmp_path / "battle.json", tmp_path / "result.json"
    outcome.write_text(result.model_dump_json())

    briefing = run(file, "battle")
    run(file, "battle", "--package", str(package))
    told = run(file, "battle", "--result", str(outcome))

    assert "Fight it with --auto" in briefing
    assert json.loads(package.read_text())["battle_id"] == result.battle_id
    assert "battle at Narrows" in told
    with pytest.raises(ContractError, match="no battle waits"):
        run(file, "battle", "--result", str(outcome))


def test_copies_are_kept_and_taken_up_again(file: Path, tmp_path: Path) -> None:
    run(file, "new")
    run(file, "save", str(tmp_path / "keep.json"))
    run(file, "day", "2")

    told = run(file, "load", str(tmp_path / "keep.json"))

    assert "day 0 of 360" in told
    assert Campaign.load(file).day == 0


def test_mistakes_are_named(file: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="begin one with 'diorama tidebreak campaign new'"):
        run(file, "day")
    run(file, "new")
    with pytest.raises(ConfigError, match="exists already"):
        run(file, "new")
    with pytest.raises(ContractError, match="is no order"):
        run(file, "order", "dance")
    with pytest.raises(DioramaError, match="no report is called 'nothing'"):
        run(file, "report", "nothing")
    damaged = tmp_path / "damaged.json"
    damaged.write_text("{}")
    with pytest.raises(DocumentError, match="is no campaign of this version"):
        run(file, "load", str(damaged))


def test_own_battles_can_be_left_to_scripts(file: Path) -> None:
    campaign = Campaign(seed=3, player="accord", fight=quick_fight)
    declare_war(campaign.state, "dominion", "accord", cause=None)
    for fleet in campaign.state.fleets:
        fleet.ships = fleet.ships[-1:]
    campaign.save(file)

    told = run(file, "day", "2", "--auto-battles", "--no-stop")

    assert "It is the evening of day 2" in told
