"""A promotion and its rollback, rehearsed: windows beside the release, promotion, trouble, and back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from diorama.contracts.values import JsonObject
from diorama.operate.promotion.states import PromotionState
from diorama.operate.rehearsals.drills import Drill
from diorama.operate.rehearsals.rehearsal import Rehearsal
from diorama.operate.rehearsals.theater import Theater, outcome_of, refusal_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """How the release of a world is made to look bad.

    Attributes:
        orders: Commands that do it; given again every tick until the canary sings.
        canary: The alert that they raise.
        ticks: How long that may take.
    """

    orders: Sequence[Drill]
    canary: str
    ticks: int


def rehearse_promotion(rehearsal: Rehearsal, theater: Theater, candidate: str, trouble: Trouble) -> None:
    """Judge a candidate beside the release, promote it, and roll it back.

    Raises:
        StepFailed: At the first step that does not come out as it should.
    """
    promotion = theater.runtime.promotion
    first_release = promotion.release.policy_hash
    offered = theater.command("policy_shadow", [candidate])
    is_waiting = offered["status"] == "ok" and promotion.state is PromotionState.MONITORING
    rehearsal.check("candidate lives beside the release", is_waiting, tick=theater.tick, detail=outcome_of(offered))
    early = theater.command("promote_policy", [candidate])
    rehearsal.check(
        "promotion before its time is refused",
        refusal_of(early)[1] == "not_ready",
        tick=theater.tick,
        detail=outcome_of(early),
    )
    _pass_windows(rehearsal, theater)
    _promote(rehearsal, theater, candidate)
    _meet_trouble(rehearsal, theater, trouble)
    _roll_back(rehearsal, theater, first_release)


def _pass_windows(rehearsal: Rehearsal, theater: Theater) -> None:
    promotion = theater.runtime.promotion
    settings = promotion.settings
    for number in range(1, settings.required_passes + 1):
        before = len(_shadow_windows(theater))
        # The first window begins with the first tick after the candidate was offered.
        for _ in range(settings.window_ticks + 1):
            if len(_shadow_windows(theater)) > before:
                break
            theater.run(1)
        windows = _shadow_windows(theater)
        failures = windows[-1]["failures"] if len(windows) > before else ["the window did not end"]
        assert isinstance(failures, Sequence)
        rehearsal.check(
            f"window {number} passes",
            not failures,
            tick=theater.tick,
            detail="; ".join(map(str, failures)) or f"{settings.window_ticks} ticks, every gate met",
        )
    is_ready = promotion.state is PromotionState.READY and theater.has_told("promotion_candidate_ready")
    rehearsal.check("candidate is ready", is_ready, tick=theater.tick, detail=_state(theater))


def _promote(rehearsal: Rehearsal, theater: Theater, candidate: str) -> None:
    promotion = theater.runtime.promotion
    assert promotion.shadow is not None
    wanted = promotion.shadow.policy_hash
    answer = theater.command("promote_policy", [candidate])
    rehearsal.check("promote_policy", answer["status"] == "ok", tick=theater.tick, detail=outcome_of(answer))
    is_on_trial = promotion.state is PromotionState.PROBATION and theater.has_told("policy_promoted")
    rehearsal.check("release is on probation", is_on_trial, tick=theater.tick, detail=_state(theater))
    theater.run(1)
    policy = theater.runtime.status()["policy"]
    assert isinstance(policy, Mapping)
    rehearsal.check(
        "candidate decides", policy["policy_hash"] == wanted, tick=theater.tick, detail=str(policy["policy_hash"])[:12]
    )


def _meet_trouble(rehearsal: Rehearsal, theater: Theater, trouble: Trouble) -> None:
    last = theater.tick + trouble.ticks
    while trouble.canary not in theater.runtime.monitor.latest_stability_alerts() and theater.tick < last:
        for order in trouble.orders:
            answer = theater.command(order.name, order.args, order.kwargs)
            if answer["status"] != "ok":
                rehearsal.check(f"trouble: {order.name}", False, tick=theater.tick, detail=outcome_of(answer))
    is_singing = trouble.canary in theater.runtime.monitor.latest_stability_alerts()
    rehearsal.check(
        f"{trouble.canary} is raised", is_singing, tick=theater.tick, detail=f"by tick {last} at the latest"
    )
    is_recommended = theater.runtime.promotion.state is PromotionState.ROLLBACK_RECOMMENDED and theater.has_told(
        "rollback_recommended"
    )
    rehearsal.check("rollback is recommended", is_recommended, tick=theater.tick, detail=_state(theater))


def _roll_back(rehearsal: Rehearsal, theater: Theater, first_release: str) -> None:
    promotion = theater.runtime.promotion
    answer = theater.command("rollback_policy", (), {"reason": "rehearsal"})
    rehearsal.check("rollback_policy", answer["status"] == "ok", tick=theater.tick, detail=outcome_of(answer))
    theater.run(1)
    is_back = promotion.release.policy_hash == first_release and theater.has_told("policy_rolled_back")
    rehearsal.check("first release decides again", is_back, tick=theater.tick, detail=_state(theater))
    history = promotion.status()["history"]
    assert isinstance(history, Sequence)
    actions = [record["action"] for record in history if isinstance(record, Mapping)]
    rehearsal.check(
        "history tells both", actions == ["promote", "rollback"], tick=theater.tick, detail=", ".join(map(str, actions))
    )


def _shadow_windows(theater: Theater) -> list[JsonObject]:
    windows = theater.runtime.promotion.status()["windows"]
    assert isinstance(windows, Sequence)
    return [window for window in windows if isinstance(window, Mapping) and window["policy"] == "shadow"]


def _state(theater: Theater) -> str:
    return f"state {theater.runtime.promotion.state.value}"
