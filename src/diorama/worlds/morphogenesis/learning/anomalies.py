"""What looks wrong in a policy update, by rules that remember the updates before."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from diorama.contracts.rounds import CollapseRule
from diorama.contracts.updates import UpdateDetails
from diorama.contracts.values import JsonObject
from diorama.worlds.morphogenesis.contracts.events import TelemetryEventType
from diorama.worlds.morphogenesis.contracts.payloads.health import AnomalyDetectedPayload
from diorama.worlds.morphogenesis.contracts.payloads.policy import PPOMetrics
from diorama.worlds.morphogenesis.learning.metrics import is_collapsed

RATIO_LIMITS: Final = (0.1, 5.0)
VALUE_LIMIT: Final = 5.0
VALUE_GRACE_ROUNDS: Final = 3
EXPLAINED_FLOORS: Final = ((0.10, -0.5), (0.25, -0.2), (0.75, 0.0), (1.0, 0.1))
COLLAPSE_ROUNDS: Final = 3
COLLAPSE_CLEARS: Final = 1.5
MEMORY_LIMITS: Final = (1e-6, 10.0)
DRIFT_KEEPS: Final = 0.99
DRIFT_LIMIT: Final = 0.5
DRIFT_GRACE_ROUNDS: Final = 10
DEAD_SHARE: Final = 0.5

Found = tuple[TelemetryEventType, str, dict[str, float]]


@dataclass(slots=True)
class UpdateWatch:
    """Looks at every update; `collapsing` counts the rounds in a row in which a head hardly varied."""

    rule: CollapseRule
    rounds: int
    collapsing: dict[str, int] = field(default_factory=dict)
    usual_norm: float | None = None

    def look(
        self,
        details: UpdateDetails,
        metrics: PPOMetrics,
        *,
        total_episodes: int,
        episodes: int,
        tells_layers: bool = False,
    ) -> tuple[tuple[TelemetryEventType, AnomalyDetectedPayload], ...]:
        """Return what looks wrong, in a fixed order; the gradient norm of every layer goes with it where it is told."""
        found = (
            *self._values(details, metrics),
            *_ratios(metrics),
            *self._entropies(details),
            *_memories(details),
            *self._gradients(details, metrics),
        )
        return tuple(
            (
                kind,
                AnomalyDetectedPayload(
                    anomaly_type=kind.name.lower(),
                    episode=episodes,
                    batch=metrics.batch,
                    inner_epoch=metrics.inner_epoch,
                    total_episodes=total_episodes,
                    detail=detail,
                    gradient_stats=dict(details.layers) if tells_layers else None,
                    stability=numbers,
                ),
            )
            for kind, detail, numbers in found
        )

    def state(self) -> JsonObject:
        """Return what it remembers."""
        return {"collapsing": dict(self.collapsing), "usual_norm": self.usual_norm}

    def load(self, state: JsonObject) -> None:
        """Take up what another remembered."""
        collapsing, usual = state["collapsing"], state["usual_norm"]
        self.collapsing = (
            {name: int(count) for name, count in collapsing.items()} if isinstance(collapsing, dict) else {}
        )
        self.usual_norm = usual if isinstance(usual, float) else None

    def _values(self, details: UpdateDetails, metrics: PPOMetrics) -> Iterator[Found]:
        kind = TelemetryEventType.VALUE_COLLAPSE_DETECTED
        if self.rule is CollapseRule.EXPLAINED_VARIANCE:
            progress = metrics.batch / max(1, self.rounds)
            floor = next(limit for share, limit in EXPLAINED_FLOORS if progress < share or share == 1.0)
            explained = details.explained_variance
            if explained is not None and explained < floor:
                yield kind, f"explained variance {explained:.3f} is below {floor}", {"explained_variance": explained}
            return
        bellman = metrics.bellman_error or 0.0
        if metrics.batch > VALUE_GRACE_ROUNDS and max(details.loss_value, bellman) > VALUE_LIMIT:
            numbers = {"value_loss": details.loss_value, "bellman_error": bellman}
            yield kind, f"value loss or Bellman error above {VALUE_LIMIT}", numbers

    def _entropies(self, details: UpdateDetails) -> Iterator[Found]:
        for head in details.heads:
            if head.entropy is None:
                continue
            count = self.collapsing.get(head.name, 0)
            if is_collapsed(head):
                self.collapsing[head.name] = count + 1
                if count + 1 == COLLAPSE_ROUNDS:
                    kind = TelemetryEventType.GRADIENT_PATHOLOGY_DETECTED
                    yield kind, f"entropy_collapse:{head.name}", {"entropy": head.entropy}
            elif count < COLLAPSE_ROUNDS or not is_collapsed(head, COLLAPSE_CLEARS):
                self.collapsing.pop(head.name, None)

    def _gradients(self, details: UpdateDetails, metrics: PPOMetrics) -> Iterator[Found]:
        norm, usual = details.grad_norm, self.usual_norm
        self.usual_norm = norm if usual is None else DRIFT_KEEPS * usual + (1.0 - DRIFT_KEEPS) * norm
        if usual and metrics.batch > DRIFT_GRACE_ROUNDS and abs(norm - usual) / usual > DRIFT_LIMIT:
            kind = TelemetryEventType.GRADIENT_ANOMALY
            yield kind, f"gradient norm {norm:.3g} against {usual:.3g} usually", {"grad_norm": norm, "usual": usual}
        if metrics.exploding_layers or metrics.dead_layers > DEAD_SHARE * len(details.layers):
            numbers = {"dead": float(metrics.dead_layers), "exploding": float(metrics.exploding_layers)}
            yield TelemetryEventType.GRADIENT_PATHOLOGY_DETECTED, "layers without or with huge gradients", numbers


def _ratios(metrics: PPOMetrics) -> Iterator[Found]:
    least, most = RATIO_LIMITS
    if metrics.ratio_max is not None and metrics.ratio_max > most:
        numbers = {"ratio_max": metrics.ratio_max}
        yield TelemetryEventType.RATIO_EXPLOSION_DETECTED, f"a ratio rose above {most}", numbers
    if metrics.ratio_min is not None and metrics.ratio_min < least:
        numbers = {"ratio_min": metrics.ratio_min}
        yield TelemetryEventType.RATIO_COLLAPSE_DETECTED, f"a ratio fell below {least}", numbers


def _memories(details: UpdateDetails) -> Iterator[Found]:
    least, most = MEMORY_LIMITS
    for letter, half in zip("hc", details.memory, strict=False):
        if half.has_nan or half.has_inf or not least <= half.rms <= most:
            kind = TelemetryEventType.NUMERICAL_INSTABILITY_DETECTED
            yield kind, f"what is remembered in {letter} is out of bounds", {"rms": half.rms}
