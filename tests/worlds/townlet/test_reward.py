import pytest

from diorama.worlds.townlet.codes import ExitReason
from diorama.worlds.townlet.reference.policy_runner import PolicyRunner, run_tick
from diorama.worlds.townlet.reference.reward import pay_rewards
from diorama.worlds.townlet.reference.state import Town
from diorama.worlds.townlet.reference.state.facts import Chat, TickFacts
from diorama.worlds.townlet.reference.state.kpis import RewardBreakdown
from diorama.worlds.townlet.reference.systems.ties import set_tie
from tests.worlds.townlet.towns import SOCIAL, town_of

NO_SHAPING = {"shaping": {"use_potential": False}}


def _pay(town: Town) -> RewardBreakdown:
    pay_rewards(town)
    return town.report.rewards[0]


def test_a_contented_tick_pays_survival_less_the_pain_of_needs() -> None:
    town = town_of(NO_SHAPING)
    town.citizen(0).needs = [0.5, 1.0, 0.8]

    reward = _pay(town)

    assert reward.survival == 0.002
    assert reward.needs_penalty == pytest.approx(-0.004 * (1.0 * 0.25 + 0.8 * 0.04))
    assert reward.total == reward.survival + reward.needs_penalty


def test_shaping_pays_the_change_of_the_potential_but_not_in_the_first_tick() -> None:
    town = town_of()
    citizen = town.citizen(0)
    citizen.needs = [0.5, 1.0, 1.0]
    assert _pay(town).shaping == 0.0
    citizen.needs = [0.9, 1.0, 1.0]

    assert _pay(town).shaping == pytest.approx(0.1 * (0.99 * -0.1 + 0.5))


def test_wages_and_punctuality() -> None:
    town = town_of(NO_SHAPING)
    citizen = town.citizen(0)
    citizen.facts = TickFacts(is_paid=True, first_paid_arrival=263)
    reward = _pay(town)
    assert reward.wage == 0.01
    assert reward.punctuality == pytest.approx(0.05 * (1 - 7 / 21))
    citizen.facts = TickFacts(is_withheld=True)

    assert _pay(town).wage == -0.005


@pytest.mark.parametrize(
    ("stage", "bonus", "avoidance"), [("OFF", 0.0, 0.0), ("C1", 0.008, 0.0), ("C2", 0.008, 0.005), ("C3", 0.01, 0.005)]
)
def test_social_terms_come_with_their_stages(stage: str, bonus: float, avoidance: float) -> None:
    town = town_of(NO_SHAPING, {"features": {"stages": {"relationships": "C3", "social_rewards": stage}}}, population=2)
    citizen = town.citizen(0)
    set_tie(town, citizen, 1, 0.5, 0.5, None)
    citizen.facts = TickFacts(chats=[Chat(1, 0.8)], has_avoided=True)

    reward = _pay(town)

    assert reward.social_bonus == pytest.approx(bonus)
    assert reward.social_avoidance == avoidance


def test_failed_chats_cost_speaker_and_listener_and_the_needy_earn_nothing() -> None:
    town = town_of(NO_SHAPING, SOCIAL, population=2)
    citizen = town.citizen(0)
    citizen.facts = TickFacts(failed_as_speaker=1, failed_as_listener=2, chats=[Chat(1, 1.0)], has_avoided=True)
    citizen.needs[1] = 0.1

    reward = _pay(town)

    assert reward.social_penalty == pytest.approx(-0.01)
    assert reward.social_bonus == reward.social_avoidance == 0.0


def test_avoidance_is_paid_once_in_its_window() -> None:
    town = town_of(NO_SHAPING, SOCIAL, population=2)
    citizen = town.citizen(0)
    citizen.facts.has_avoided = True
    paid = []
    for town.tick in (100, 130, 131):
        paid.append(_pay(town).social_avoidance)

    assert paid == [0.005, 0.0, 0.005]


@pytest.mark.parametrize(
    ("reason", "penalty"),
    [
        (ExitReason.FAINT, -1.0),
        (ExitReason.EVICTION, -2.0),
        (ExitReason.UNEMPLOYMENT, -2.0),
        (ExitReason.NEGLECT, -1.0),
        (ExitReason.AGE_OUT, -1.0),
        (ExitReason.KILLED, 0.0),
    ],
)
def test_leaving_has_its_price_and_nothing_good_is_paid_with_it(reason: ExitReason, penalty: float) -> None:
    town = town_of(NO_SHAPING)
    town.citizen(0).needs = [1.0, 1.0, 1.0]
    town.citizen(0).facts.exit_reason = reason

    reward = _pay(town)

    assert reward.total == reward.terminal_penalty == penalty
    assert reward.guardrail_active


def test_nothing_good_is_paid_near_a_collapse_or_a_deferred_exit() -> None:
    town = town_of(NO_SHAPING)
    citizen = town.citizen(0)
    citizen.needs = [1.0, 1.0, 1.0]
    citizen.decline.collapse_streak = 19
    assert not _pay(town).guardrail_active
    citizen.decline.collapse_streak = 20
    assert _pay(town).total == 0.0
    citizen.decline.collapse_streak = 0
    town.tick, citizen.decline.deferred_tick = 50, 40
    assert _pay(town).guardrail_active
    town.tick = 51

    assert not _pay(town).guardrail_active


def test_the_tick_clip_comes_before_the_terminal_penalty_and_the_episode_clip_last() -> None:
    town = town_of({"rewards": {"clip": {"clip_per_tick": 0.01, "clip_per_episode": 1.5}}}, NO_SHAPING)
    citizen = town.citizen(0)
    citizen.facts = TickFacts(is_paid=True, first_paid_arrival=270)
    reward = _pay(town)
    assert (reward.total, reward.clipped) == (0.01, True)
    citizen.facts = TickFacts(exit_reason=ExitReason.EVICTION)
    citizen.account.episode_sum = 0.0
    reward = _pay(town)

    assert reward.total == -1.5
    assert reward.clip_adjustment == pytest.approx(0.5, abs=0.01)
    assert citizen.account.episode_sum == -1.5


def test_a_profile_biases_rewards_where_the_feature_is_on() -> None:
    town = town_of(NO_SHAPING, {"features": {"behavior": {"reward_multipliers": True}}})
    citizen = town.citizen(0)
    citizen.profile = 2  # industrious
    citizen.facts = TickFacts(is_withheld=True)
    assert _pay(town).wage == -0.005 / 1.25
    citizen.facts = TickFacts(is_paid=True)

    assert _pay(town).wage == 0.01 * 1.25


def test_the_parts_always_add_up_to_the_total() -> None:
    town = town_of(SOCIAL, {"perturbations": {"enabled": True}}, population=8)
    runner = PolicyRunner()
    for _ in range(200):
        run_tick(town, runner)
        for reward in town.report.rewards.values():
            parts = (
                reward.survival + reward.needs_penalty + reward.shaping + reward.wage + reward.punctuality
                + reward.social + reward.curiosity + reward.terminal_penalty + reward.clip_adjustment
            )  # fmt: skip
            assert reward.total == pytest.approx(parts, abs=1e-12)
