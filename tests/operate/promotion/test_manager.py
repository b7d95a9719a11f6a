"""Promotion: every state, every way in and out of it, and what is refused."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from diorama.contracts.errors import SnapshotError
from diorama.contracts.live.kpis import KpiTarget
from diorama.contracts.live.refusals import CommandError
from diorama.contracts.live.settings.promotion import Promotion
from diorama.contracts.spec import Better
from diorama.operate.promotion.manager import PromotionManager
from diorama.operate.promotion.pointers import PolicyPointer
from diorama.operate.promotion.window_book import Observed

TARGETS = (
    KpiTarget(key="fed", title="Fed", better=Better.HIGHER, target=0.7, amber=0.7, red=0.5, gate=0.7),
    KpiTarget(key="lateness", title="Late", better=Better.LOWER, target=0.1, amber=0.1, red=0.3, is_gate_relative=True),
)
GOOD = {"fed": 0.9, "lateness": 0.05}
BAD = {"fed": 0.5, "lateness": 0.05}
LATE = {"fed": 0.9, "lateness": 0.9}


def pointer(name: str, *, config_id: str = "town-1", variant: str = "hybrid") -> PolicyPointer:
    return PolicyPointer(policy_hash=name * 64, checkpoint=f"{name}.safetensors", config_id=config_id, variant=variant)


OLD, NEW = pointer("a"), pointer("b")


class Life:
    """A release and a shadow that live window after window."""

    def __init__(self, tmp_path: Path, **settings: object) -> None:
        self.history = tmp_path / "logs" / "promotion_history.jsonl"
        self.settings = Promotion.model_validate({"window_ticks": 3, **settings})
        self.manager = self.fresh()
        self.tick = 0

    def fresh(self) -> PromotionManager:
        canaries = frozenset({"starvation_spike"})
        return PromotionManager(self.settings, TARGETS, canaries, history_path=self.history, release=OLD)

    def window(
        self,
        release: Mapping[str, float] = GOOD,
        shadow: Mapping[str, float] = GOOD,
        *,
        release_alerts: tuple[str, ...] = (),
        shadow_alerts: tuple[str, ...] = (),
    ) -> list[str]:
        names = []
        for _ in range(self.settings.window_ticks):
            events = self.manager.observe(
                self.tick,
                Observed(alerts=release_alerts, close_window=lambda: release),
                Observed(alerts=shadow_alerts, close_window=lambda: shadow),
            )
            names += [event.name for event in events]
            self.tick += 1
        return names

    def make_ready(self) -> None:
        self.manager.offer(NEW)
        assert self.window() + self.window() == ["promotion_candidate_ready"]
        assert self.manager.state == "ready"

    def promote(self) -> None:
        self.make_ready()
        [event] = self.manager.promote(NEW, tick=self.tick, issuer="op")
        assert event.name == "policy_promoted"
        assert self.manager.state == "probation"


@pytest.fixture
def life(tmp_path: Path) -> Life:
    return Life(tmp_path)


def test_a_candidate_is_promoted_and_confirmed(life: Life) -> None:
    life.promote()
    assert life.manager.take_change() == life.manager.release
    assert life.manager.take_change() is None
    assert life.manager.release.policy_hash == NEW.policy_hash
    assert life.window() + life.window() == ["promotion_confirmed"]
    assert life.manager.state == "stable"
    [line] = life.history.read_text().splitlines()
    assert json.loads(line)["action"] == "promote"


def test_a_failing_window_breaks_the_streak_and_takes_readiness_back(life: Life) -> None:
    life.manager.offer(NEW)
    life.window()
    life.window(shadow=BAD)
    assert (life.manager.state, life.manager.status()["streak"]) == ("monitoring", 0)
    assert life.window() + life.window() == ["promotion_candidate_ready"]
    assert life.window(shadow_alerts=("rivalry_spike",)) == []
    assert life.manager.state == "monitoring"


def test_allowed_alerts_do_not_count(tmp_path: Path) -> None:
    life = Life(tmp_path, allowed_alerts=("rivalry_spike",))
    life.manager.offer(NEW)
    assert life.window(shadow_alerts=("rivalry_spike",)) + life.window() == ["promotion_candidate_ready"]


def test_a_relative_gate_follows_the_release(life: Life) -> None:
    life.manager.offer(NEW)
    life.window(release={"fed": 0.9, "lateness": 0.2}, shadow={"fed": 0.9, "lateness": 0.3})
    assert life.manager.status()["streak"] == 1
    life.window(release={"fed": 0.9, "lateness": 0.2}, shadow={"fed": 0.9, "lateness": 0.5})
    assert life.manager.status()["streak"] == 0


def test_a_canary_recommends_a_rollback_at_once(life: Life) -> None:
    life.promote()
    assert life.window(release_alerts=("starvation_spike",)) == ["rollback_recommended"]
    assert life.manager.state == "rollback_recommended"

    [event] = life.manager.rollback(None, reason="people starve", tick=life.tick, issuer="op")

    assert event.name == "policy_rolled_back"
    assert event.fields["reason"] == "people starve"
    assert (life.manager.state, life.manager.release.policy_hash) == ("monitoring", OLD.policy_hash)


def test_lateness_beyond_the_baseline_is_a_canary(life: Life) -> None:
    life.promote()
    assert life.window(release=LATE) == ["rollback_recommended"]


def test_a_canary_outside_probation_recommends_nothing(life: Life) -> None:
    assert life.window(release_alerts=("starvation_spike",)) == []


def test_rollback_can_be_automatic(tmp_path: Path) -> None:
    life = Life(tmp_path, auto_rollback=True)
    life.promote()
    assert life.window(release_alerts=("starvation_spike",)) == ["rollback_recommended", "policy_rolled_back"]
    assert life.manager.release.policy_hash == OLD.policy_hash
    assert json.loads(life.history.read_text().splitlines()[-1])["issuer"] == "auto"


def test_an_operator_may_keep_a_release_in_spite_of_its_canaries(life: Life) -> None:
    life.promote()
    life.window(release_alerts=("starvation_spike",))
    life.manager.acknowledge()
    assert life.manager.state == "stable"
    with pytest.raises(CommandError, match="the state is stable") as refusal:
        life.manager.acknowledge()
    assert refusal.value.code == "conflict"


def test_without_probation_a_promotion_is_confirmed_at_once(tmp_path: Path) -> None:
    life = Life(tmp_path, probation_windows=0)
    life.make_ready()
    events = life.manager.promote(NEW, tick=life.tick, issuer="op")
    assert [event.name for event in events] == ["policy_promoted", "promotion_confirmed"]


def test_a_swap_needs_no_readiness_and_resets_the_streak(life: Life) -> None:
    life.manager.offer(NEW)
    life.window()
    [event] = life.manager.swap(pointer("c"), tick=life.tick, issuer="op")
    assert event.name == "policy_swapped"
    assert life.manager.status()["streak"] == 0
    assert life.manager.find("a" * 12) == OLD


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (pointer("c"), "hash_mismatch"),
        (PolicyPointer(policy_hash="b" * 64, checkpoint="b", config_id="town-2", variant="hybrid"), "config_mismatch"),
        (PolicyPointer(policy_hash="b" * 64, checkpoint="b", config_id="town-1", variant="compact"), "variant_gate"),
    ],
)
def test_what_does_not_fit_is_not_promoted(life: Life, found: PolicyPointer, reason: str) -> None:
    life.make_ready()
    with pytest.raises(CommandError) as refusal:
        life.manager.promote(found, tick=life.tick, issuer="op")
    assert (refusal.value.code, refusal.value.reason) == ("conflict", reason)
    assert life.manager.state == "ready"
    assert not life.history.exists()


def test_the_last_script_is_known(life: Life) -> None:
    assert life.manager.last_script() is None
    script = PolicyPointer(policy_hash="scripted", checkpoint="scripted", config_id="town-1", variant="hybrid")
    life.manager.swap(script, tick=1, issuer="op")
    life.manager.swap(NEW, tick=2, issuer="op")
    found = life.manager.last_script()
    assert found is not None
    assert found.checkpoint == "scripted"


def test_nothing_is_promoted_before_it_is_ready(life: Life) -> None:
    life.manager.offer(NEW)
    with pytest.raises(CommandError) as refusal:
        life.manager.promote(NEW, tick=0, issuer="op")
    assert refusal.value.reason == "not_ready"


def test_a_policy_that_reads_another_observation_is_not_swapped_in(life: Life) -> None:
    compact = PolicyPointer(policy_hash="b" * 64, checkpoint="b", config_id="town-1", variant="compact")
    with pytest.raises(CommandError, match="as long as it lives") as refusal:
        life.manager.swap(compact, tick=life.tick, issuer="op")
    assert refusal.value.reason == "variant_gate"
    assert life.manager.release.variant == "hybrid"


def test_a_restored_manager_goes_on_as_if_nothing_had_happened(life: Life) -> None:
    life.promote()
    life.window()
    exported = life.manager.export()
    went_on = life.window()
    status = life.manager.status()

    life.manager, life.tick = life.fresh(), life.tick - life.settings.window_ticks
    life.manager.load(json.loads(json.dumps(exported)))

    assert (life.window(), life.manager.status()) == (went_on, status)
    with pytest.raises(SnapshotError, match="broken"):
        life.manager.load({"standing": {}})
