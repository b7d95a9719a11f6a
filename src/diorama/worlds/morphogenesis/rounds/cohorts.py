"""Control cohorts: the same hosts and data under controllers that show what growth itself is worth."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from diorama.worlds.morphogenesis.comparison.episodes import EpisodeResult
from diorama.worlds.morphogenesis.comparison.groups import Cohort
from diorama.worlds.morphogenesis.comparison.verdict import Verdict, judge
from diorama.worlds.morphogenesis.config import MorphogenesisConfig
from diorama.worlds.morphogenesis.contracts.events import TelemetryEvent, TelemetryEventType
from diorama.worlds.morphogenesis.contracts.outcomes import TOPOLOGY_MANIFEST_VERSION, TopologyManifest
from diorama.worlds.morphogenesis.contracts.payloads.health import TopologyManifestRecordedPayload
from diorama.worlds.morphogenesis.controller.deciding import Controller
from diorama.worlds.morphogenesis.controller.scripted import WaitController
from diorama.worlds.morphogenesis.engine.env import Env
from diorama.worlds.morphogenesis.engine.event_stream import EventSink, EventStream
from diorama.worlds.morphogenesis.engine.nursery import EngineMaker, engine_setup
from diorama.worlds.morphogenesis.engine.world import MorphogenesisWorld
from diorama.worlds.morphogenesis.rounds.bare_hosts import train_bare_hosts
from diorama.worlds.morphogenesis.rounds.controllers import Decider, controller_of
from diorama.worlds.morphogenesis.rounds.manifests import begin_with, manifest_of
from diorama.worlds.morphogenesis.rounds.running import PlayedRun, play_rounds

BOOTSTRAP_ID: Final = 0
COHORT_COUNT: Final = 5
"""Cohorts a plan runs; that of two reward modes needs policies that learn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CohortPlan:
    """What the cohorts run: `source` is the controller whose final topology is replayed from the first epoch."""

    config: MorphogenesisConfig
    make_engine: EngineMaker
    envs: int
    root_key: int
    rounds: int
    source: Decider = "grow_norm"
    sinks: tuple[EventSink, ...] = ()
    advance: Callable[[], None] = lambda: None


@dataclass(frozen=True, slots=True, kw_only=True)
class CohortReport:
    """Episodes by cohort, whether the replayed topologies were the recorded ones, and the verdict."""

    cohorts: dict[Cohort, list[EpisodeResult]]
    manifests_match: bool
    verdict: Verdict


def run_cohorts(plan: CohortPlan) -> CohortReport:
    """Run every cohort under the same root key and judge the source."""
    off_switch, _ = _play(plan, Cohort.OFF_SWITCH, "wait")
    source, recorded = _play(plan, Cohort.STATIC_FINAL_SOURCE, plan.source)
    final, replayed = _play(plan, Cohort.STATIC_FINAL, "wait", manifests=recorded)
    fixed, _ = _play(plan, Cohort.FIXED_SCHEDULE, "plant_norm")
    world = _world(plan, Cohort.STATIC_INITIAL)
    setup = engine_setup(plan.config, world.nursery.layout, world.nursery.streams, "cpu")
    initial = train_bare_hosts(setup, rounds=plan.rounds, epochs=world.nursery.max_epochs, advance=plan.advance)
    matches = all(recorded[key].manifest_hash() == replayed[key].manifest_hash() for key in recorded)
    draws = world.nursery.streams.open("bootstrap", BOOTSTRAP_ID)
    return CohortReport(
        cohorts={
            Cohort.OFF_SWITCH: off_switch.results,
            Cohort.STATIC_INITIAL: initial,
            Cohort.STATIC_FINAL_SOURCE: source.results,
            Cohort.STATIC_FINAL: final.results,
            Cohort.FIXED_SCHEDULE: fixed.results,
        },
        manifests_match=matches,
        verdict=judge(source.results, initial, final.results, draws, manifests_match=matches),
    )


Manifests = dict[tuple[int, int], TopologyManifest]


class _Recorder:
    """Writes down the topology of every env when its episode ends."""

    def __init__(self) -> None:
        self.world: MorphogenesisWorld | None = None
        self.manifests: Manifests = {}

    def __call__(self, event: TelemetryEvent) -> None:
        if event.event_type is TelemetryEventType.BATCH_EPOCH_COMPLETED and self.world is not None:
            nursery = self.world.nursery
            for env in self.world.envs:
                self.manifests[nursery.round_index, env.env_id] = manifest_of(nursery, env)


def _play(
    plan: CohortPlan, cohort: Cohort, decider: Decider, manifests: Manifests | None = None
) -> tuple[PlayedRun, Manifests]:
    recorder = _Recorder()
    world = recorder.world = _world(plan, cohort, recorder)
    deciding: Controller = WaitController() if manifests else controller_of(decider, world)
    run = play_rounds(
        world,
        deciding,
        name=cohort.value,
        rounds=plan.rounds,
        advance=plan.advance,
        prepare=None if manifests is None else begin_with(manifests),
    )
    if cohort in (Cohort.STATIC_FINAL_SOURCE, Cohort.STATIC_FINAL):
        for env in world.envs:
            _tell_manifest(world, env, recorder.manifests, is_replay=manifests is not None)
    return run, recorder.manifests


def _world(plan: CohortPlan, cohort: Cohort, *sinks: EventSink) -> MorphogenesisWorld:
    return MorphogenesisWorld.build(
        plan.config,
        plan.make_engine,
        envs=plan.envs,
        root_key=plan.root_key,
        events=EventStream(run=cohort.value, sinks=(*plan.sinks, *sinks), group_id=cohort.value),
    )


def _tell_manifest(world: MorphogenesisWorld, env: Env, manifests: Manifests, *, is_replay: bool) -> None:
    nursery = world.nursery
    manifest = manifests[nursery.round_index, env.env_id]
    nursery.events.emit(
        TelemetryEventType.TOPOLOGY_MANIFEST_RECORDED,
        TopologyManifestRecordedPayload(
            manifest_role="static_final_replay" if is_replay else "source_final",
            proof_baseline_pair_id=f"r{nursery.round_index}_env{env.env_id}",
            topology_manifest_version=TOPOLOGY_MANIFEST_VERSION,
            topology_manifest_hash=manifest.manifest_hash(),
            topology_manifest_json=manifest.canonical_json(),
            task=manifest.task,
            host_topology=manifest.host_topology,
            slot_config_hash=manifest.slot_config_hash,
            slot_count=nursery.slots.num_slots,
            fossilized_seed_count=len(manifest.slots),
            topology_delta_count=len(manifest.slots),
        ),
    )
