"""Hints: what a trained policy thinks of the present decision."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import numpy as np
import pytest
import torch

from diorama.contracts.values import F32
from diorama.learn.evaluation.policy_player import PolicyPlayer
from diorama.learn.policies.distributions import head_probabilities
from diorama.learn.policies.heads import JointHeads
from diorama.learn.policies.policy import Policy
from diorama.runs.replays.scene import Scene
from diorama.server.play.advice import Advisor
from diorama.server.play.errors import SessionConflict
from diorama.server.play.following import Follower
from diorama.server.play.limits import PlayLimits
from diorama.server.play.policies import PolicyShelf
from diorama.server.play.session import Session
from diorama.server.play.undo import STRIDE
from diorama.server.reading.shelf import RunShelf
from tests.runs.factories import empty_run
from tests.runs.kept_policies import keep_dice
from tests.server.conftest import TRAINED
from tests.server.loopback import serving
from tests.server.play_factories import CASH_OUT, HOLD, belt_session, keep_policy, opened, stepped, toy_setting
from tests.server.toy_worlds import DUO, SCREEN, registered


def expected_shares(policy: Policy, session: Session) -> F32:
    """Lead the policy through the whole episode, one decision at a time, and return what it thinks at the end."""
    scene, seat = Scene(session.setting.venue, session.seed), session.setting.seat
    memory = torch.zeros(1, policy.memory_width)
    heads = policy.heads
    assert isinstance(heads, JointHeads)
    with torch.inference_mode():
        for step in range(session.steps + 1):
            obs, obs_u8, masks = (torch.from_numpy(array[[seat]].copy()) for array in scene.view)
            starts = torch.full((1, 1), step == 0, dtype=torch.uint8)
            features, memory = policy.features(obs, obs_u8, memory, starts)
            if step < session.steps:
                scene.step(session.decisions()[step])
        logits = heads.linear(features.actor)
        shares = head_probabilities(logits, masks, heads.plan.layout, (0.0,) * len(heads.plan.layout.sizes))
    scene.close()
    return torch.cat(shares, dim=1)[0].numpy()


@pytest.mark.parametrize("arch", ["mlp-64x64-tanh-v1", "mingru-64-v1", "lstm-64-v1"])
def test_a_hint_is_what_the_policy_would_do_after_all_that_has_happened(tmp_path: Path, arch: str) -> None:
    session = belt_session(seed=4)
    policy = keep_policy(tmp_path, "run-a", session.setting.spec, arch)
    advisor = Advisor(PolicyShelf(RunShelf(tmp_path)).newest("run-a", session.setting.spec))
    player = PolicyPlayer(policy, session.setting.spec, 1, deterministic=True, seed=0)
    player.reset([0], [session.seed])

    for step in range(12):
        chosen = int(player.act(*session.scene.view)[0, 0])
        if step % 3 == 0:
            advice = advisor.advise(session)
            assert advice.decision == (chosen,)
            np.testing.assert_allclose(advice.probabilities[0], expected_shares(policy, session), atol=1e-5)
            assert sum(advice.probabilities[0]) == pytest.approx(1.0, abs=1e-5)
        session.step(HOLD if chosen == CASH_OUT else chosen)

    session.undo(5)
    np.testing.assert_allclose(advisor.advise(session).probabilities[0], expected_shares(policy, session), atol=1e-5)
    session.reset(9)
    np.testing.assert_allclose(advisor.advise(session).probabilities[0], expected_shares(policy, session), atol=1e-5)
    advisor.close()


def test_after_an_undo_a_policy_looks_at_few_decisions_again(tmp_path: Path) -> None:
    session = belt_session(seed=4)
    policy = keep_policy(tmp_path, "run-a", session.setting.spec, "mingru-64-v1")
    advisor = Advisor(PolicyShelf(RunShelf(tmp_path)).newest("run-a", session.setting.spec))
    for _ in range(120):
        session.step(HOLD)

    assert advisor.distance(session) == 120
    advisor.advise(session)
    assert advisor.distance(session) == 0
    for back in (1, 30, 33):
        session.undo(back)
        assert advisor.distance(session) <= STRIDE
        advised = advisor.advise(session).probabilities[0]
        np.testing.assert_allclose(advised, expected_shares(policy, session), atol=1e-5)
    advisor.close()


def test_a_policy_looks_at_so_many_decisions_for_one_answer(tmp_path: Path) -> None:
    session = belt_session(seed=4)
    policy = keep_policy(tmp_path, "run-a", session.setting.spec, "lstm-16-v1")
    follower = Follower(policy, most_steps=20)
    for _ in range(45):
        session.step(HOLD)

    for seen in (20, 40):
        with torch.inference_mode(), pytest.raises(SessionConflict, match=f"has looked at {seen} of 45 decisions"):
            follower.memory_before(session)
    with torch.inference_mode():
        reached = follower.memory_before(session)
        at_once = Follower(policy).memory_before(session)

    np.testing.assert_allclose(reached.numpy(), at_once.numpy(), atol=1e-5)
    follower.close()


def test_every_head_of_the_own_seat_is_advised(tmp_path: Path) -> None:
    session = Session(toy_setting(DUO, seat=1, others="counting", length=20), 0, PlayLimits())
    policy = keep_policy(tmp_path, "run-a", session.setting.spec, "lstm-16-v1")
    advisor = Advisor(PolicyShelf(RunShelf(tmp_path)).newest("run-a", session.setting.spec))
    for _ in range(3):
        session.step([1, 1])

    advice = advisor.advise(session)

    assert [len(shares) for shares in advice.probabilities] == [3, 2]
    np.testing.assert_allclose(np.concatenate(advice.probabilities), expected_shares(policy, session), atol=1e-5)


def test_other_seats_can_be_played_by_a_run(tmp_path: Path) -> None:
    spec = toy_setting(DUO).spec
    keep_policy(tmp_path, "rival", spec, "lstm-16-v1")
    with (
        registered(),
        serving(tmp_path) as server,
        httpx.Client(base_url=server.base_url, timeout=30) as client,
    ):
        state = opened(client, world="toy", others="rival", config={"length": 9})
        for _ in range(4):
            last = stepped(client, state["session_id"], [1, 0]).json()
        back = client.post(f"/api/play/session/{state['session_id']}/undo", json={"steps": 2}).json()
        again = [stepped(client, state["session_id"], [1, 0]).json() for _ in range(2)][-1]

    assert (state["others"], back["steps"]) == ("rival", 2)
    assert again["render_state"] == last["render_state"]


def test_a_newer_checkpoint_is_noticed_and_few_are_kept(tmp_path: Path) -> None:
    spec = toy_setting(SCREEN).spec
    shelf = PolicyShelf(RunShelf(tmp_path))
    keep_policy(tmp_path, "run-a", spec, "mlp-8x8-tanh-v1")
    first = shelf.newest("run-a", spec)
    assert shelf.newest("run-a", spec) is first

    keep_policy(tmp_path, "run-a", spec, "mlp-8x8-tanh-v1", window_id=3)

    assert shelf.newest("run-a", spec).header.window_id == 3
    for run_id in ("b", "c", "d", "e"):
        keep_policy(tmp_path, run_id, spec, "mlp-8x8-tanh-v1")
        shelf.newest(run_id, spec)
    assert len(shelf._kept) == 4


@pytest.fixture(scope="module")
def counselor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A server over runs that cannot advise, each for another reason."""
    root = tmp_path_factory.mktemp("runs")
    empty_run(root, "fresh")
    keep_dice(empty_run(root, "dice"))
    keep_policy(root, "elsewhere", toy_setting(SCREEN).spec, "mlp-8x8-tanh-v1")
    with serving(root) as server, httpx.Client(base_url=server.base_url, timeout=30) as client:
        yield client


@pytest.mark.parametrize(
    ("run_id", "status", "words"),
    [
        pytest.param("nobody", 404, "there is no run 'nobody'", id="no-run"),
        pytest.param("fresh", 404, "has no checkpoint yet", id="no-checkpoint"),
        pytest.param("dice", 404, "there is no policy in it", id="random"),
        pytest.param("elsewhere", 404, "has no policy for prospector-v1", id="another-world"),
        pytest.param("../etc", 422, "policy", id="traversal"),
        pytest.param("", 422, "policy", id="empty"),
    ],
)
def test_a_run_without_a_fitting_policy_has_no_hint(
    counselor: httpx.Client, run_id: str, status: int, words: str
) -> None:
    state = opened(counselor)

    answer = counselor.get(f"/api/play/session/{state['session_id']}/hint", params={"policy": run_id})

    assert answer.status_code == status
    assert words in answer.json()["detail"]


def test_a_trained_run_advises_over_http(client: httpx.Client) -> None:
    state = opened(client, seed=2)
    call = f"/api/play/session/{state['session_id']}"

    hint = client.get(f"{call}/hint", params={"policy": TRAINED}).json()

    assert (hint["session_id"], hint["steps"], hint["policy"]["run_id"]) == (state["session_id"], 0, TRAINED)
    assert len(hint["probabilities"]) == 69
    assert hint["heads"][0]["probabilities"] == hint["probabilities"]
    assert hint["action"] == int(np.argmax(hint["probabilities"]))
    for share, is_valid in zip(hint["probabilities"], state["action_mask"], strict=True):
        assert is_valid or share == 0.0
    assert client.get(call).json()["steps"] == 0


def test_a_trained_run_stands_beside_the_baselines(client: httpx.Client) -> None:
    state = opened(client, seed=2, env_time_max=300)

    rows = client.get(f"/api/play/session/{state['session_id']}/standings", params={"policy": TRAINED}).json()["rows"]

    assert (rows[0]["kind"], rows[-1]["kind"], rows[-1]["name"]) == ("human", "run", TRAINED)
    assert rows[-1]["finished"]
    assert rows[-1]["steps"] > 0
