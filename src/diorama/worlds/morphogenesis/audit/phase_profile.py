"""Where the time of an epoch goes, phase by phase. It flows one way to telemetry, and nothing ever reads it back."""

from diorama.worlds.morphogenesis.audit.phase_clock import ACT, DECIDE, PhaseClock
from diorama.worlds.morphogenesis.audit.profiled_engine import ProfiledEngine
from diorama.worlds.morphogenesis.audit.relay import RelayStream
from diorama.worlds.morphogenesis.contracts.events import Severity, TelemetryEventType
from diorama.worlds.morphogenesis.contracts.payloads.base import Payload
from diorama.worlds.morphogenesis.contracts.profiling import PhaseProfileReport
from diorama.worlds.morphogenesis.engine.world import MorphogenesisWorld


class ProfiledStream(RelayStream):
    """Profiles a world: one report per epoch, when its decisions have been carried out.

    The engine says when it trains and measures; that an epoch is told, and that a step begins, say the rest.
    """

    def __init__(self, world: MorphogenesisWorld) -> None:
        """Put a clock before the engine and the events of a world."""
        super().__init__(world)
        self._clock = PhaseClock()
        self._moment = (0, 0)
        world.nursery.engine = ProfiledEngine(world.nursery.engine, self._clock, self._finish_epoch)

    def emit(
        self,
        kind: TelemetryEventType,
        data: Payload,
        *,
        row: int | None = None,
        epoch: int | None = None,
        seed_id: str | None = None,
        slot_id: str | None = None,
        message: str = "",
        severity: Severity = "info",
    ) -> None:
        """Hand an event on; the end of a round is told after its last epoch was."""
        if row is None and not self._world.is_open:
            self._finish_epoch()
        super().emit(
            kind, data, row=row, epoch=epoch, seed_id=seed_id, slot_id=slot_id, message=message, severity=severity
        )
        if kind is TelemetryEventType.EPOCH_COMPLETED and row == len(self._world.envs) - 1:
            self._clock.enter(DECIDE)

    def begin_step(self) -> None:
        """Begin a step: what was decided is carried out from now on."""
        super().begin_step()
        if self._world.is_open:
            nursery = self._world.nursery
            self._moment = (nursery.round_index, nursery.epoch)
            self._clock.enter(ACT)

    def _finish_epoch(self) -> None:
        if self._clock.phase != ACT:
            return
        self._clock.enter(None)
        round_index, epoch = self._moment
        super().emit(
            TelemetryEventType.PHASE_PROFILE_COMPLETED,
            PhaseProfileReport(phases=self._clock.take(), epoch=epoch, batch_idx=round_index + 1),
            epoch=epoch,
        )
