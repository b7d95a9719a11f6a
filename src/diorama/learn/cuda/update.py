"""`DeviceUpdate`: PPO whose steps are recorded as CUDA graphs."""

from dataclasses import dataclass
from functools import partial

import torch

from diorama.device_recording import Recording
from diorama.learn.buffer import RolloutBuffer, RolloutShape
from diorama.learn.experience import Block, Experience, Portion, blocks, pick, prepare_rollout, sequence_count
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
class _Appraised:
    """A rollout as it is learned from; recordings read the same memory every time."""

    experience: Experience
    scale: tuple[torch.Tensor, torch.Tensor]


class _Track:
    """Recordings over one rollout's storage."""

    def __init__(self, update: "DeviceUpdate", rollout: RolloutBuffer, stream: torch.cuda.Stream | None) -> None:
        shape = rollout.shape
        sequences = sequence_count(shape.steps, shape.rows, shape.sequence_length)
        # Recordings of one update follow one another, so they may use the same memory for what they forget.
        pool = torch.cuda.graph_pool_handle() if stream is not None else None
        self.rollout = rollout
        self.appraised: _Appraised
        self.appraisals = 0  # how often its memory was made anew, which recordings must not outlive
        self.order = torch.zeros(sequences, dtype=torch.int64, device=rollout.device)
        # Copies are only asked for, so what is copied must stay until the update is over: a row for every pass.
        self.orders = torch.zeros(update.passes, sequences, dtype=torch.int64, pin_memory=stream is not None)
        self.blocks = update.blocks_of(shape)
        minibatches = len(self.blocks) or min(update.minibatches, sequences)
        self.appraisal = Recording(partial(update.appraise, self), stream, is_recorded=update.is_recorded, pool=pool)
        self.steps = [
            Recording(partial(update.take_step, self, place), stream, is_recorded=update.is_recorded, pool=pool)
            for place in range(minibatches)
        ]


class DeviceUpdate(PpoUpdate):
    """Clipped PPO, one minibatch after another.

    `begin` asks the device for everything and waits for nothing, unless a pass must be looked at before the next.

    Attributes:
        experience: What was learned from last.
        minibatches: In a pass, where there are decisions enough.
        passes: Over a rollout.
        is_recorded: Whether what repeats is recorded.
    """

    experience: Experience

    def __init__(
        self, policy: Policy, settings: TrainerSettings, scaler: RewardScaler, stream: torch.cuda.Stream | None
    ) -> None:
        """Take over the policy's weights."""
        super().__init__(policy, settings, Workers(1))
        device = self.parameters.values.device
        self.minibatches = settings.ppo.num_minibatches
        self.passes = settings.ppo.update_epochs
        self.is_recorded = settings.execution.graphs
        self._scaler = scaler
        self._stream = stream
        self._tracks: list[_Track] = []
        self._entropy, self._value = (torch.zeros((), device=device) for _ in range(2))
        self._table = torch.zeros(self.minibatches, MINIBATCH_NUMBERS, device=device)
        self._context: UpdateContext
        self._passes: EpochResults

    def begin(self, rollout: RolloutBuffer, context: UpdateContext, auxiliary: AuxiliaryLoss | None = None) -> None:
        """Appraise a rollout and learn from it; `finish` tells what happened."""
        track = self._track_of(rollout)
        self._context = context
        track.appraisal.run()
        self.experience = track.appraised.experience
        if auxiliary is None and self._is_regular():
            self._passes = self._play(track, context)
        else:
            self._passes = self._pass_over(self.experience, context, auxiliary)

    def finish(self) -> UpdateStatistics:
        """Wait for what was asked for and return what happened.

        Raises:
            TrainingDiverged: Something is not a number.
        """
        return self._passes.read()

    def appraise(self, track: _Track) -> None:
        """Compute advantages, returns and weights of a rollout."""
        experience = prepare_rollout(track.rollout, self._policy, self._settings, self._scaler)
        track.appraised = _Appraised(experience, rollout_scale(experience, self._settings.ppo))
        track.appraisals += 1

    def take_step(self, track: _Track, place: int) -> None:
        """Learn from one minibatch of a rollout."""
        ppo, appraised = self._settings.ppo, track.appraised
        shard = self._portion(track, place)
        minibatch = join_shards(appraised.experience, [shard], ppo, appraised.scale)
        coefficients = Coefficients(
            entropy=self._entropy,
            value=self._value,
            entropy_weights=self._policy.heads.plan.entropy_weights,
            value_unit=self._policy.value_scale.unit,
        )
        gradient, terms = self._shard(appraised.experience, minibatch, shard, coefficients, self._context, 0)
        assert terms is not None
        self._table[place].copy_(minibatch_row(terms, self.adam.step(gradient)))
        self.gradient.copy_(gradient)

    def blocks_of(self, shape: RolloutShape) -> list[Block]:
        """Return the blocks that are shuffled, one for each minibatch; none where single sequences are."""
        if self._settings.ppo.shuffle is not Shuffle.BLOCKS or shape.sequence_length > 1:
            return []
        decisions = shape.steps * shape.rows
        return blocks(decisions, -(-decisions // self.minibatches))

    def _track_of(self, rollout: RolloutBuffer) -> _Track:
        for track in self._tracks:
            if track.rollout is rollout:
                return track
        self._tracks.append(_Track(self, rollout, self._stream))
        return self._tracks[-1]

    def _is_regular(self) -> bool:
        """Say whether every update does the same but for what lies in tensors."""
        ppo, auxiliary = self._settings.ppo, self._settings.policy.auxiliary.values()
        looks_back = ppo.vtrace is not None and ppo.update_epochs > 1
        changes = any(item.dropout or isinstance(item.coefficient, Ramp) for item in auxiliary)
        return not (looks_back or changes or ppo.kl_guards_step or ppo.skips_allowed)

    def _play(self, track: _Track, context: UpdateContext) -> EpochResults:
        ppo = self._settings.ppo
        self.adam.aim(value_at(self._settings.optimizer.learning_rate, context.env_steps))
        self._entropy.fill_(value_at(ppo.ent_coef, context.env_steps))
        self._value.fill_(value_at(ppo.vf_coef, context.env_steps))
        rows: list[torch.Tensor] = []
        for epoch in range(ppo.update_epochs):
            for place in self._shuffle(track, context, epoch):
                track.steps[place].run((context.exploration, track.appraisals))
            table = self._table[: len(track.steps)].clone()
            rows.extend(table.unbind(0))
            is_last = epoch + 1 == ppo.update_epochs
            if ppo.target_kl is not None and not is_last and float(table[:, APPROX_KL].mean()) > ppo.target_kl:
                break
        return EpochResults(self.experience, rows, update=context.update, epochs_done=epoch + 1)

    def _shuffle(self, track: _Track, context: UpdateContext, epoch: int) -> list[int]:
        """Shuffle what a pass goes over, and return the order of the minibatches."""
        keys = (context.seed, MINIBATCHES, context.update, epoch)
        if track.blocks:
            order: list[int] = permutation(*keys, len(track.blocks)).tolist()
            return order
        track.orders[epoch].copy_(permutation(*keys, len(track.order)))
        track.order.copy_(track.orders[epoch], non_blocking=True)
        return [*range(len(track.steps))]

    def _portion(self, track: _Track, place: int) -> Portion:
        if track.blocks:
            return track.blocks[place]
        shape = track.rollout.shape
        chosen = track.order.tensor_split(self.minibatches)[place]
        return pick(chosen, rows=shape.rows, length=shape.sequence_length)
