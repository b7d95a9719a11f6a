"""`PromotionManager`: judges windows of the release and of its candidate, and moves the pointers when it is told to."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from diorama.contracts.live.events import LiveEvent, Priority
from diorama.contracts.live.kpis import KpiTarget
from diorama.contracts.live.refusals import CommandError
from diorama.contracts.live.settings.promotion import Promotion
from diorama.contracts.values import JsonObject, canonical_json
from diorama.operate.promotion.pointers import PolicyPointer, PromotionRecord
from diorama.operate.promotion.states import PromotionState, Standing
from diorama.operate.promotion.stored import StoredPromotion, read_promotion, told_promotion
from diorama.operate.promotion.window_book import RELEASE, SHADOW, Observed, WindowBook
from diorama.operate.promotion.windows import WindowResult
from diorama.storage.line_files import LineFile

HISTORY_KEPT: Final = 50
AUTOMATIC: Final = "auto"


class PromotionManager:
    """Which policy is the release, and which may become it."""

    def __init__(
        self,
        settings: Promotion,
        targets: Sequence[KpiTarget],
        canaries: frozenset[str],
        *,
        history_path: Path,
        release: PolicyPointer,
        tick: int = 0,
    ) -> None:
        """Begin with a release that nobody has judged yet.

        Args:
            settings: Required passes and the like; `settings` may be replaced while it runs.
            targets: KPIs with the gates that a window must meet.
            canaries: Alerts that speak for a rollback while a release is on probation.
            history_path: Where every change is appended.
            release: What runs now.
            tick: The first one of the first window.
        """
        self.settings = settings
        self._canaries = canaries
        self._history_path = history_path
        self._standing = Standing(release=release, initial_release=release, window_start=tick)
        self._book = WindowBook(targets)
        self._change: PolicyPointer | None = None
        self._begins_anew = False

    @property
    def release(self) -> PolicyPointer:
        """What runs."""
        return self._standing.release

    @property
    def shadow(self) -> PolicyPointer | None:
        """What is judged beside it."""
        return self._standing.shadow

    @property
    def state(self) -> PromotionState:
        """Where it stands."""
        return self._standing.state

    def offer(self, candidate: PolicyPointer) -> None:
        """Judge a candidate from the next window on; what another one has earned is forgotten."""
        self._standing.shadow = candidate
        self._standing.streak = 0
        if self.state in (PromotionState.READY, PromotionState.STABLE):
            self._standing.state = PromotionState.MONITORING
        self._begins_anew = True

    def observe(self, tick: int, release: Observed, shadow: Observed | None = None) -> list[LiveEvent]:
        """Take note of a tick: canaries at once, windows when they end."""
        if self._begins_anew:
            self._book.throw_away(RELEASE, release)
            self._book.throw_away(SHADOW, shadow)
            self._standing.window_start, self._begins_anew = tick, False
        self._book.note(RELEASE, release)
        self._book.note(SHADOW, shadow)
        events = self._heed_canaries(tick, [name for name in release.alerts if name in self._canaries])
        if tick + 1 - self._standing.window_start >= self.settings.window_ticks:
            events += self._close_windows(tick, release, shadow)
        return events

    def promote(self, found: PolicyPointer, *, tick: int, issuer: str) -> list[LiveEvent]:
        """Make the candidate the release.

        Args:
            found: The policy that was named, its hash computed from the file as it is now.
            tick: Now.
            issuer: Who asks.

        Raises:
            CommandError: `conflict` for `not_ready`, `hash_mismatch` and `variant_gate`.
        """
        candidate = self._standing.shadow
        if candidate is None or self.state is not PromotionState.READY:
            raise CommandError("conflict", "not_ready", f"no candidate is ready; the state is {self.state.value}")
        if found.policy_hash != candidate.policy_hash:
            raise CommandError(
                "conflict",
                "hash_mismatch",
                f"{found.checkpoint} is {found.policy_hash[:12]}; the candidate is {candidate.policy_hash[:12]}",
            )
        self.check_fits(found)
        self._move(tick, "promote", issuer, "", found)
        self._standing.shadow = None
        self._standing.probation_passes = 0
        self._standing.state = PromotionState.PROBATION
        events = [self._event(tick, "policy_promoted")]
        if self.settings.probation_windows == 0:
            events += self._confirm(tick)
        return events

    def rollback(self, to: PolicyPointer | None, *, reason: str, tick: int, issuer: str) -> list[LiveEvent]:
        """Go back: to a policy that was named, else to the release before, else to the first one."""
        target = to or self._standing.previous_release or self._standing.initial_release
        self._move(tick, "rollback", issuer, reason, target)
        self._standing.state = PromotionState.MONITORING
        self._standing.streak = 0
        return [self._event(tick, "policy_rolled_back")]

    def swap(self, found: PolicyPointer, *, tick: int, issuer: str) -> list[LiveEvent]:
        """Run another policy, ready or not.

        Raises:
            CommandError: It is of another configuration, or reads another observation.
        """
        self.check_fits(found)
        self._move(tick, "swap", issuer, "", found)
        self._standing.state = PromotionState.MONITORING
        self._standing.streak = 0
        return [self._event(tick, "policy_swapped")]

    def acknowledge(self) -> None:
        """Keep a release in spite of its canaries.

        Raises:
            CommandError: Nothing is recommended.
        """
        if self.state is not PromotionState.ROLLBACK_RECOMMENDED:
            raise CommandError("conflict", "nothing_recommended", f"the state is {self.state.value}")
        self._standing.state = PromotionState.STABLE

    def take_change(self) -> PolicyPointer | None:
        """Hand over the policy that must run from the next tick on; None where nothing changed."""
        change, self._change = self._change, None
        return change

    def find(self, name: str) -> PolicyPointer | None:
        """A policy that was released before, by the beginning of its hash or by its checkpoint."""
        return next((one for one in self._former() if one.policy_hash.startswith(name) or one.checkpoint == name), None)

    def last_script(self) -> PolicyPointer | None:
        """The script that was released last; None where none ever was."""
        return next((one for one in self._former() if one.is_script), None)

    def status(self) -> JsonObject:
        """The telemetry block `promotion`."""
        return told_promotion(self._standing, self.settings, self._book.results)

    def export(self) -> JsonObject:
        """Everything that must survive a snapshot."""
        return StoredPromotion(
            standing=self._standing,
            alerts=self._book.alerts,
            windows=self._book.results,
            begins_anew=self._begins_anew,
        ).to_json()

    def load(self, state: JsonObject) -> None:
        """Take over what `export` returned; on an error nothing changes.

        Raises:
            SnapshotError: It is no state of a promotion manager.
        """
        stored = read_promotion(state)
        self._standing = stored.standing
        self._book.alerts = {**self._book.alerts, **stored.alerts}
        self._book.results = stored.windows
        self._begins_anew = stored.begins_anew
        self._change = stored.standing.release

    def _former(self) -> list[PolicyPointer]:
        """Every release before this one that is remembered, the newest first."""
        return [*(record.before for record in reversed(self._standing.history)), self._standing.initial_release]

    def _heed_canaries(self, tick: int, standing: Sequence[str]) -> list[LiveEvent]:
        if self.state is not PromotionState.PROBATION or not standing:
            return []
        self._standing.state = PromotionState.ROLLBACK_RECOMMENDED
        reason = ", ".join(standing)
        events = [self._event(tick, "rollback_recommended", reason)]
        if self.settings.auto_rollback:
            events += self.rollback(None, reason=reason, tick=tick, issuer=AUTOMATIC)
        return events

    def _close_windows(self, tick: int, release: Observed, shadow: Observed | None) -> list[LiveEvent]:
        standing = self._standing
        standing.window_start = tick + 1
        events = self._judge_release(tick, self._book.close(RELEASE, tick, release, self.settings, standing.baseline))
        if shadow is not None and standing.shadow is not None:
            events += self._judge_shadow(tick, self._book.close(SHADOW, tick, shadow, self.settings, standing.baseline))
        return events

    def _judge_release(self, tick: int, result: WindowResult) -> list[LiveEvent]:
        if self.state is not PromotionState.PROBATION:
            self._standing.baseline = dict(result.kpis)
            return []
        if worse := self._book.relative_failures(result):
            return self._heed_canaries(tick, worse)
        self._standing.probation_passes = self._standing.probation_passes + 1 if result.has_passed else 0
        if self._standing.probation_passes < self.settings.probation_windows:
            return []
        self._standing.baseline = dict(result.kpis)
        return self._confirm(tick)

    def _judge_shadow(self, tick: int, result: WindowResult) -> list[LiveEvent]:
        standing = self._standing
        standing.streak = standing.streak + 1 if result.has_passed else 0
        if self.state is PromotionState.READY and not result.has_passed:
            standing.state = PromotionState.MONITORING
        elif self.state is PromotionState.MONITORING and standing.streak >= self.settings.required_passes:
            standing.state = PromotionState.READY
            return [self._event(tick, "promotion_candidate_ready")]
        return []

    def _confirm(self, tick: int) -> list[LiveEvent]:
        self._standing.state = PromotionState.STABLE
        return [self._event(tick, "promotion_confirmed")]

    def check_fits(self, found: PolicyPointer) -> None:
        """Refuse a policy that is made for something else than this world shows.

        Raises:
            CommandError: `conflict` for `config_mismatch` and `variant_gate`.
        """
        release = self._standing.release
        if found.config_id != release.config_id:
            raise CommandError(
                "conflict", "config_mismatch", f"{found.checkpoint} is for {found.config_id}, not {release.config_id}"
            )
        if found.variant != release.variant:
            raise CommandError(
                "conflict",
                "variant_gate",
                f"{found.checkpoint} reads {found.variant!r}; this world shows {release.variant!r} as long as it lives,"
                " so begin another one for it",
            )

    def _move(self, tick: int, action: str, issuer: str, reason: str, target: PolicyPointer) -> None:
        standing = self._standing
        after = replace(target, promoted_at=tick)
        record = PromotionRecord(
            tick=tick, action=action, issuer=issuer, reason=reason, before=standing.release, after=after
        )
        with LineFile(self._history_path) as history:
            history.append(canonical_json(record.to_json()).encode())
        standing.history = [*standing.history, record][-HISTORY_KEPT:]
        standing.previous_release, standing.release = standing.release, after
        self._change = after
        self._begins_anew = True

    def _event(self, tick: int, name: str, reason: str = "") -> LiveEvent:
        standing = self._standing
        return LiveEvent(
            name=name,
            tick=tick,
            priority=Priority.P0,
            fields={
                "state": standing.state.value,
                "release": standing.release.to_json(),
                "shadow": None if standing.shadow is None else standing.shadow.to_json(),
                "reason": reason or (standing.history[-1].reason if standing.history else ""),
            },
        )
