"""One host on the digits from its first epoch to its last, with every part that grows it."""

from statistics import mean

import pytest
import torch
from numpy.random import Generator

from diorama.worlds.morphogenesis.contracts.actions import GerminationStyle
from diorama.worlds.morphogenesis.contracts.blueprints import BlueprintAction
from diorama.worlds.morphogenesis.contracts.incubation import Incubation
from diorama.worlds.morphogenesis.contracts.payloads.lifecycle import LifecyclePayload
from diorama.worlds.morphogenesis.contracts.stages import SeedStage
from diorama.worlds.morphogenesis.contracts.timings import TIMING_PRESETS
from diorama.worlds.morphogenesis.data.loading import build_host, load_data, optimizer_plan, slots_of
from diorama.worlds.morphogenesis.data.minibatches import minibatch_rows
from diorama.worlds.morphogenesis.data.tasks import task_named
from diorama.worlds.morphogenesis.hosting.epochs import TrainedEpoch, train_epoch, validate
from diorama.worlds.morphogenesis.hosting.growing_host import GrowingHost
from diorama.worlds.morphogenesis.hosting.growth import Growth
from diorama.worlds.morphogenesis.hosting.slot import LifecycleRules, Moment, SeedOrder
from diorama.worlds.morphogenesis.streams import Stream, Streams

GROW_THREE = {
    "r0c0": (BlueprintAction.CONV_LIGHT, 4, (5, 9, 12), 14),
    "r0c1": (BlueprintAction.CONV_HEAVY, 10, (11, 15, 18), 20),
    "r0c2": (BlueprintAction.CONV_HEAVY, 16, (17, 21, 24), 26),
}


class Episode:
    """One env on `digits_impaired`, decided by whoever calls."""

    def __init__(self, root_key: int, incubation: Incubation) -> None:
        self.streams = Streams(root_key)
        self.task = task_named("digits")
        data = load_data(self.task)
        self.train = torch.from_numpy(data.train_inputs), torch.from_numpy(data.train_targets)
        self.val = torch.from_numpy(data.val_inputs), torch.from_numpy(data.val_targets)
        host = build_host(self.task)
        slots = slots_of(host, self.task.slots)
        self.growing = GrowingHost(host, slots, optimizer_plan(self.task), self.open, incubation=incubation)
        self.growing.reset(self.streams.open("host_init", 0, 0), self.open)
        self.told: list[LifecyclePayload] = []
        self.growth = Growth(
            slots,
            self.task.topology,
            LifecycleRules(timings=TIMING_PRESETS[self.task.timings]),
            self.growing,
            self.told.append,
            host_params=host.param_count,
            execution_order=host.execution_order(),
        )
        self.epoch = 0

    def open(self, stream: Stream, slot_index: int, birth: int) -> Generator:
        return self.streams.open(stream, 0, 0, slot_index, birth)

    def run_epoch(self) -> float:
        """Train, validate, measure each contributing seed by leaving it out, and let the clock tick."""
        self.epoch += 1
        trained = self._train()
        accuracy = validate(self.growing, *self.val).accuracy_pct
        for slot_id in self.growth.contributing():
            state = self.growth.slot(slot_id).state
            assert state is not None
            without = validate(self.growing, *self.val, {slot_id: 0.0}).accuracy_pct
            state.record_contribution(accuracy - without, interaction_sum=0.0, boost_received=0.0)
        self.growth.tick(accuracy, None, has_twin=False)
        self.growth.record_gradients(trained.readings, epoch=self.epoch, max_epochs=self.task.max_epochs)
        return accuracy

    def _train(self) -> TrainedEpoch:
        inputs, targets = self.train
        rows = minibatch_rows(len(inputs), self.task.batch_size, self.streams.open("data", 0, self.epoch))
        return train_epoch(self.growing, ((inputs[batch], targets[batch]) for batch in map(torch.from_numpy, rows)))


def decide_grow_three(episode: Episode) -> bool:
    """Do what the schedule says for this epoch; say whether everything was accepted."""
    accepted = []
    for slot_id, (blueprint, plant_at, advance_at, fossilize_at) in GROW_THREE.items():
        if episode.epoch == plant_at:
            order = SeedOrder(blueprint=blueprint, style=GerminationStyle.LINEAR_ADD, tempo_epochs=3)
            accepted.append(episode.growth.germinate(slot_id, order, Moment(epoch=episode.epoch)))
        elif episode.epoch in advance_at:
            accepted.append(episode.growth.slot(slot_id).advance().passed)
        elif episode.epoch == fossilize_at:
            accepted.append(episode.growth.fossilize(slot_id).passed)
    episode.growth.step()
    return all(accepted)


@pytest.mark.slow
def test_three_seeds_grown_by_schedule_lift_an_impaired_host_by_forty_points() -> None:
    grown, alone = Episode(42, "shadow"), Episode(42, "shadow")
    gains = []

    for _ in range(grown.task.max_epochs):
        gains.append(grown.run_epoch() - alone.run_epoch())
        assert decide_grow_three(grown), f"an operation was refused at epoch {grown.epoch}"

    assert gains[:3] == [0.0, 0.0, 0.0]
    assert grown.growth.stages() == (SeedStage.FOSSILIZED,) * 3
    assert grown.growth.total_params() == 160 + 42 + 308 + 1192
    assert mean(gains[-10:]) >= 40.0


def test_a_host_that_waits_equals_one_with_a_seed_that_only_incubates() -> None:
    scores = []
    for planted in (False, True):
        episode = Episode(7, "straight_through")
        if planted:
            order = SeedOrder(blueprint=BlueprintAction.CONV_LIGHT, style=GerminationStyle.GATED_GATE, tempo_epochs=3)
            episode.growth.germinate("r0c1", order, Moment(epoch=0))
            episode.growth.slot("r0c1").advance()
        scores.append([episode.run_epoch() for _ in range(2)])

    assert scores[0] == scores[1]
