"""A bed without modules, and slots in it, for what the lifecycle does on its own."""

from diorama.worlds.morphogenesis.contracts.actions import GerminationStyle
from diorama.worlds.morphogenesis.contracts.alpha import AlphaAlgorithm
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction
from diorama.worlds.morphogenesis.contracts.gates import GateLevel
from diorama.worlds.morphogenesis.contracts.payloads.lifecycle import LifecyclePayload, SeedStageChangedPayload
from diorama.worlds.morphogenesis.contracts.slots import SlotConfig
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.contracts.timings import QUICK_TIMINGS, LifecycleTimings
from diorama.worlds.morphogenesis.hosting.gradients import GradientReading
from diorama.worlds.morphogenesis.hosting.growth import Growth
from diorama.worlds.morphogenesis.hosting.seed_state import SeedState
from diorama.worlds.morphogenesis.hosting.slot import LifecycleRules, Moment, SeedOrder

HEALTHY = GradientReading(
    gradient_norm=1.0,
    gradient_health=1.0,
    has_vanishing=False,
    has_exploding=False,
    gradient_ratio=1.0,
    parameters_finite=True,
)


def seed_in(stage: SeedStage) -> SeedState:
    """A seed that has just come to a stage."""
    return SeedState(
        seed_id="s",
        slot_id="r0c0",
        blueprint=BlueprintAction.NORM,
        style=GerminationStyle.LINEAR_ADD,
        blend_tempo_epochs=3,
        stage=stage,
    )


class BareBed:
    """Keeps stage and alpha of what is planted, and nothing else."""

    def __init__(self) -> None:
        self.stages: dict[str, SeedStage] = {}
        self.alphas: dict[str, float] = {}
        self.frozen: dict[str, bool] = {}

    def plant(self, slot_id: str, blueprint: BlueprintAction, operator: AlphaAlgorithm, birth: int) -> int:
        assert slot_id not in self.stages
        self.stages[slot_id] = SeedStage.DORMANT
        return 10

    def set_stage(self, slot_id: str, stage: SeedStage) -> int:
        assert slot_id in self.stages
        self.stages[slot_id] = stage
        return 10

    def set_alpha(self, slot_id: str, alpha: float, *, frozen: bool) -> None:
        assert slot_id in self.stages
        self.alphas[slot_id] = alpha
        self.frozen[slot_id] = frozen

    def detach(self, slot_id: str) -> None:
        del self.stages[slot_id]


class Plot:
    """Three slots, their bed and everything they told; `epoch` is the clock of an episode."""

    def __init__(
        self,
        timings: LifecycleTimings = QUICK_TIMINGS,
        *,
        permissive: bool = True,
        auto_forward: frozenset[GateLevel] = frozenset(),
    ) -> None:
        self.bed = BareBed()
        self.told: list[LifecyclePayload] = []
        self.epoch = 0
        self.growth = Growth(
            SlotConfig.default(),
            "cnn",
            LifecycleRules(timings=timings, permissive_gates=permissive, auto_forward=auto_forward),
            self.bed,
            self.told.append,
            host_params=100,
            execution_order=("r0c0", "r1c0", "r0c1", "r0c2"),
        )

    def pass_epoch(self, accuracy_pct: float = 50.0) -> None:
        """Measure every seed as healthy and useful, and let the clock tick."""
        self.epoch += 1
        for slot_id in self.growth.contributing():
            state = self.growth.slot(slot_id).state
            assert state is not None
            state.record_contribution(2.0, interaction_sum=0.0, boost_received=0.0)
        self.growth.tick(accuracy_pct, None, has_twin=False)
        readings = {state.slot_id: HEALTHY for state in self.growth.states()}
        self.growth.record_gradients(readings, epoch=self.epoch, max_epochs=40)

    def plant(
        self,
        slot_id: str = "r0c0",
        style: GerminationStyle = GerminationStyle.LINEAR_ADD,
        *,
        tempo: int = 3,
        alpha_target: float = 1.0,
    ) -> bool:
        order = SeedOrder(
            blueprint=BlueprintAction.CONV_LIGHT, style=style, tempo_epochs=tempo, alpha_target=alpha_target
        )
        return self.growth.germinate(slot_id, order, Moment(epoch=self.epoch))

    def changes(self) -> list[tuple[str, str]]:
        """Return the stages that were left and entered, in order."""
        return [(e.from_stage, e.to_stage) for e in self.told if isinstance(e, SeedStageChangedPayload)]

    def grown_to(self, stage: SeedStage, slot_id: str = "r0c0") -> "Plot":
        """Plant a seed and bring it to a stage on the happy path."""
        self.plant(slot_id)
        slot = self.growth.slot(slot_id)
        while slot.stage is not stage:
            self.growth.step()
            self.pass_epoch()
            if slot.stage is SeedStage.HOLDING:
                self.growth.fossilize(slot_id)
            else:
                slot.advance()
        return self
