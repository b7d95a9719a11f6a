"""Episodes and matches that a cluster plays come out as if they had been played here."""

from threading import Thread
from typing import Any

from diorama.engine.players import bot_contender
from diorama.engine.venue import open_venue
from diorama.learn.evaluation.contest import consecutive_seeds, run_contest
from diorama.learn.evaluation.episodes import SilentProgress
from diorama.learn.evaluation.matchups import evaluate_against_scripts, play_suite, select_scripts
from diorama.learn.evaluation.policy_player import policy_contender
from diorama.learn.policies.policy import build_policy
from diorama.learn.settings import TrainerSettings
from tests.scale.clusters import ON_RAY

pytestmark = ON_RAY


def test_a_contest_and_matches_on_a_cluster_that_loses_a_node_are_those_played_here(nodes: Any) -> None:
    from diorama.scale.evaluation import ClusterHall

    venue = open_venue("prospector", {"time_max": 300.0})
    policy = build_policy(venue.spec, TrainerSettings.model_validate({"policy": {"arch": "lstm-32-v1"}}), seed=4)
    contenders = [
        policy_contender("untrained", policy, deterministic=False),
        *(bot_contender(venue.world, name) for name in ("greedy_miner", "prudent_hauler")),
    ]
    seeds = [consecutive_seeds(7, 130)]
    sea = open_venue("tidebreak")
    sailor = bot_contender(sea.world, next(iter(sea.world.bots)))
    scripts = select_scripts(sea.world, ())[:2]

    submit = ClusterHall()
    lost = Thread(target=lambda: nodes.remove_node(next(iter(nodes.worker_nodes)), allow_graceful=False))
    lost.start()
    there = run_contest(venue, contenders, seeds, max_decisions=2000, progress=SilentProgress(), submit=submit)
    met_there = evaluate_against_scripts(sea, sailor, scripts, range(3), progress=SilentProgress(), submit=submit)
    suite_there = play_suite(sea, sailor, scripts[:1], episodes=1, progress=SilentProgress(), submit=submit)
    lost.join()

    here = run_contest(venue, contenders, seeds, max_decisions=2000, progress=SilentProgress())
    assert [result.records for result in there.results] == [result.records for result in here.results]
    assert there.results == here.results
    assert met_there == evaluate_against_scripts(sea, sailor, scripts, range(3), progress=SilentProgress())
    assert suite_there == play_suite(sea, sailor, scripts[:1], episodes=1, progress=SilentProgress())
