"""A scripted expert of the toy world, and demonstrations of it."""

from diorama.contracts.records import Decision
from diorama.contracts.values import F32, U8
from diorama.engine.batch import Batch
from diorama.engine.batched_bots import BotRows
from diorama.engine.make import make_batch
from diorama.learn.imitation.demonstrations import (
    ActionNoise,
    Demonstrations,
    demonstrations_from_recording,
    record_demonstrations,
)
from diorama.learn.policies.policy import Policy, build_policy
from diorama.learn.settings import TrainerSettings
from diorama.learn.teachers import ScriptedTeacher, TeacherMaker
from tests.engine.toy_world import TOY, ToyConfig, toy_spec

LENGTH = 4


class Thermostat:
    """Adds two below 5 and subtracts one from there on."""

    def reset(self, episode_seed: int) -> None:
        """Nothing to forget."""

    def act(self, obs: F32, obs_u8: U8, mask: U8) -> Decision:
        return (2, 0) if obs[0] < 5 else (1, 1)


THERMOSTAT = TeacherMaker(make=lambda spec, rows: ScriptedTeacher(BotRows(Thermostat, spec, rows), spec.agents))


def settings(arch: str = "mlp-32-relu-v1", **cloning: object) -> TrainerSettings:
    return TrainerSettings.model_validate(
        {
            "policy": {"arch": arch},
            "ppo": {"rollout_steps": 8, "num_minibatches": 2, "update_epochs": 1, "gamma": 0.5},
            "execution": {"threads": 2, "lane_copies": 8, "shard_rows": 64},
            "cloning": {"bot": "thermostat", "epochs": 40, "minibatch_rows": 128, "learning_rate": 0.01, **cloning},
        }
    )


def toy_policy() -> Policy:
    return build_policy(toy_spec(ToyConfig(length=LENGTH)), settings(), seed=1)


def toy_batch(copies: int) -> Batch:
    return make_batch(TOY, copies=copies, seed=9, config={"length": LENGTH})


def demonstrate(
    batches: list[Batch], policy: Policy, decisions: int = 600, action_noise: ActionNoise | None = None
) -> Demonstrations:
    length = 4 if policy.memory_width else 1
    recording = record_demonstrations(
        batches, THERMOSTAT, policy, decisions=decisions, length=length, action_noise=action_noise
    )
    return demonstrations_from_recording(recording, policy, length=length, gamma=0.5)
