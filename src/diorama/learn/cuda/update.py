"""`DeviceUpdate`: PPO whose steps are CUDA graphs."""

from dataclasses import dataclass
from functools import partial

import torch

from diorama.device_recording import Recording
from diorama.learn.buffer import RolloutBuffer, RolloutShape
from diorama.learn.experience import (
    Block,
    Experience,
    SequenceSubset,
    blocks,
    index_sequences,
    prepare_rollout,
    sequence_count,
)
from diorama.learn.keyed_random import permutation
from diorama.learn.loss import Coefficients
from diorama.learn.normalization import RewardScaler
from diorama.learn.policies.policy import Policy
from diorama.learn.ppo import APPROX_KL, AuxiliaryLoss, EpochResults, PpoUpdate, UpdateContext
from diorama.learn.sampling import join_shards, rollout_scale
from diorama.learn.settings import TrainerSettings, value_at
from diorama.learn.settings.ppo import Shuffle
from diorama.learn.settings.schedules import Ramp
from diorama.learn.statistics import MINIBATCH_NUMBERS, UpdateStatistics, minibatch_row
from diorama.learn.streams import MINIBATCHES
from diorama.learn.workers import Workers


@dataclass(slots=True)
class _Prepared:
    """A prepared rollout; CUDA graphs read the same memory every time."""

    experience: Experience
    advantage_scale: tuple[torch.Tensor, torch.Tensor]


class _RolloutGraphs:
    """CUDA graphs of the updates from one rollout buffer."""

    def __init__(self, update: "DeviceUpdate", rollout: RolloutBuffer, stream: torch.cuda.Stream | None) -> None:
        shape = rollout.shape
        sequences = sequence_count(shape.steps, shape.rows, shape.sequence_length)
        # The graphs of one update run one after another, so they can share memory for temporary tensors.
        pool = torch.cuda.graph_pool_handle() if stream is not None else None
        self.rollout = rollout
        self.prepared: _Prepared
        self.allocations = 0  # of `prepared`: graphs that read an earlier one are recorded again
        self.order = torch.zeros(sequences, dtype=torch.int64, device=rollout.device)
        # Copies to the device do not wait, so every epoch has its own row on the host.
        self.orders = torch.zeros(update.epochs, sequences, dtype=torch.int64, pin_memory=stream is not None)
        self.blocks = update.blocks_of(shape)
        minibatches = len(self.blocks) or min(update.minibatches, sequences)
        self.preparation = Recording(partial(update.prepare, self), stream, is_recorded=update.is_recorded, pool=pool)
        self.steps = [
            Recording(partial(update.train_minibatch, self, index), stream, is_recorded=update.is_recorded, pool=pool)
            for index in range(minibatches)
        ]


class DeviceUpdate(PpoUpdate):
    """Clipped PPO on a device: `begin` launches an update, `finish` waits for it.

    `begin` waits for the device only if the settings need a result of one epoch before the next, as `target_kl` does.

    Attributes:
        experience: The last experience.
        minibatches: Minibatches per epoch; fewer if there are fewer sequences.
        epochs: Epochs per rollout.
        is_recorded: Whether steps are recorded as CUDA graphs.
    """

    experience: Experience

    def __init__(
        self, policy: Policy, settings: TrainerSettings, scaler: RewardScaler, stream: torch.cuda.Stream | None
    ) -> None:
        """Flatten the policy's parameters; kernels are launched on `stream`."""
        super().__init__(policy, settings, Workers(1))
        device = self.parameters.values.device
        self.minibatches = settings.ppo.num_minibatches
        self.epochs = settings.ppo.update_epochs
        self.is_recorded = settings.execution.graphs
        self._scaler = scaler
        self._stream = stream
        self._graphs: list[_RolloutGraphs] = []
        self._entropy_coef, self._value_coef = (torch.zeros((), device=device) for _ in range(2))
        self._table = torch.zeros(self.minibatches, MINIBATCH_NUMBERS, device=device)
        self._context: UpdateContext
        self._results: EpochResults

    def begin(self, rollout: RolloutBuffer, context: UpdateContext, auxiliary: AuxiliaryLoss | None = None) -> None:
        """Launch an update from a rollout."""
        graphs = self._graphs_of(rollout)
        self._context = context
        graphs.preparation.run()
        self.experience = graphs.prepared.experience
        if auxiliary is None and self._can_use_graphs(context):
            self._results = self._run_graphs(graphs, context)
        else:
            self._results = self._run_epochs(self.experience, context, auxiliary)

    def finish(self) -> UpdateStatistics:
        """Wait for the update and return its statistics.

        Raises:
            TrainingDiverged: A statistic is NaN or infinite.
        """
        return self._results.read()

    def prepare(self, graphs: _RolloutGraphs) -> None:
        """Compute advantages, returns and weights of a rollout."""
        experience = prepare_rollout(graphs.rollout, self._policy, self._settings, self._scaler)
        graphs.prepared = _Prepared(experience, rollout_scale(experience, self._settings.ppo))
        graphs.allocations += 1

    def train_minibatch(self, graphs: _RolloutGraphs, index: int) -> None:
        """Take one optimizer step."""
        ppo, prepared = self._settings.ppo, graphs.prepared
        shard = self._subset(graphs, index)
        minibatch = join_shards(prepared.experience, [shard], ppo, prepared.advantage_scale)
        coefficients = Coefficients(
            entropy=self._entropy_coef,
            value=self._value_coef,
            entropy_weights=self._policy.heads.plan.entropy_weights,
            value_unit=self._policy.value_scale.unit,
        )
        gradient, terms = self._shard_gradient(prepared.experience, minibatch, shard, coefficients, self._context, 0)
        assert terms is not None
        self._table[index].copy_(minibatch_row(terms, self.adam.step(gradient)))
        self.gradient.copy_(gradient)

    def blocks_of(self, shape: RolloutShape) -> list[Block]:
        """Return one block per minibatch if blocks are shuffled; an empty list if sequences are."""
        if self._settings.ppo.shuffle is not Shuffle.BLOCKS or shape.sequence_length > 1:
            return []
        decisions = shape.steps * shape.rows
        return blocks(decisions, -(-decisions // self.minibatches))

    def _graphs_of(self, rollout: RolloutBuffer) -> _RolloutGraphs:
        for graphs in self._graphs:
            if graphs.rollout is rollout:
                return graphs
        self._graphs.append(_RolloutGraphs(self, rollout, self._stream))
        return self._graphs[-1]

    def _can_use_graphs(self, context: UpdateContext) -> bool:
        """Return whether updates differ only in the contents of tensors."""
        ppo, auxiliary = self._settings.ppo, self._settings.policy.auxiliary.values()
        recomputes_advantages = ppo.vtrace is not None and ppo.update_epochs > 1
        changes = any(item.dropout or isinstance(item.coefficient, Ramp) for item in auxiliary)
        is_warmup = ppo.is_warming_up(context.env_steps)
        return not (recomputes_advantages or changes or ppo.kl_guards_step or ppo.skips_allowed or is_warmup)

    def _run_graphs(self, graphs: _RolloutGraphs, context: UpdateContext) -> EpochResults:
        ppo = self._settings.ppo
        self.adam.set_lr(value_at(self._settings.optimizer.learning_rate, context.env_steps))
        self._entropy_coef.fill_(value_at(ppo.ent_coef, context.env_steps))
        self._value_coef.fill_(value_at(ppo.vf_coef, context.env_steps))
        rows: list[torch.Tensor] = []
        for epoch in range(ppo.update_epochs):
            for index in self._shuffle(graphs, context, epoch):
                graphs.steps[index].run((context.exploration, graphs.allocations))
            table = self._table[: len(graphs.steps)].clone()
            rows.extend(table.unbind(0))
            is_last = epoch + 1 == ppo.update_epochs
            if ppo.target_kl is not None and not is_last and float(table[:, APPROX_KL].mean()) > ppo.target_kl:
                break
        return EpochResults(self.experience, rows, update=context.update, epochs_done=epoch + 1)

    def _shuffle(self, graphs: _RolloutGraphs, context: UpdateContext, epoch: int) -> list[int]:
        """Shuffle blocks or sequences, and return the order of the minibatches."""
        keys = (context.seed, MINIBATCHES, context.update, epoch)
        if graphs.blocks:
            order: list[int] = permutation(*keys, len(graphs.blocks)).tolist()
            return order
        graphs.orders[epoch].copy_(permutation(*keys, len(graphs.order)))
        graphs.order.copy_(graphs.orders[epoch], non_blocking=True)
        return [*range(len(graphs.steps))]

    def _subset(self, graphs: _RolloutGraphs, index: int) -> SequenceSubset:
        if graphs.blocks:
            return graphs.blocks[index]
        shape = graphs.rollout.shape
        sequences = graphs.order.tensor_split(self.minibatches)[index]
        return index_sequences(sequences, rows=shape.rows, length=shape.sequence_length)
