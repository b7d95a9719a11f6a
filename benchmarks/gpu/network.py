"""What the network alone costs on the GPU: deciding for some rows, and learning from a made-up rollout."""

from collections.abc import Callable, Iterator
from functools import partial

import torch

import diorama
from diorama.contracts.values import JsonObject, JsonValue
from diorama.learn.buffer import RolloutBuffer, RolloutShape
from diorama.learn.experience import build_experience
from diorama.learn.keyed_random import DrawKey
from diorama.learn.normalization import RewardScaler
from diorama.learn.policies.distributions import ActionSampling
from diorama.learn.policies.policy import Policy, build_policy
from diorama.learn.ppo import PpoUpdate, UpdateContext
from diorama.learn.settings import TrainerSettings
from diorama.learn.workers import Workers
from gpu.clock import settle, timed, wall

_COPIES_TO_ASK = 2


def settings_of(case: JsonObject) -> TrainerSettings:
    """Return the settings a case is about, on the GPU."""
    given = case.get("settings", {})
    assert isinstance(given, dict)
    return TrainerSettings.model_validate(given)


def inference(case: JsonObject) -> Iterator[JsonObject]:
    """Decide for rows that lie on the GPU: eagerly, and as a captured graph."""
    settings = settings_of(case)
    spec = diorama.make(str(case["world"]), copies=_COPIES_TO_ASK, seed=1, threads=1).spec
    policy = build_policy(spec, settings, seed=1)
    for rows in (4096, 8192, 16384, 32768):
        rollout = _made_up(
            policy,
            RolloutShape(
                spec=spec,
                copies=rows // spec.agents,
                steps=1,
                sequence_length=1,
                memory_width=policy.memory_width,
                extras={},
            ),
        )
        with torch.inference_mode():
            decide = _deciding(policy, rollout)
            eager_us = timed(decide, repeats=20) * 1e6
            wall_us = wall(partial(_repeat, decide, 20), repeats=3) / 20 * 1e6
            graph_us = timed(_captured(decide), repeats=50) * 1e6
        yield {**case, "rows": rows, "eager_us": eager_us, "eager_wall_us": wall_us, "graph_us": graph_us}


def update(case: JsonObject) -> Iterator[JsonObject]:
    """Appraise a made-up rollout and learn from it, each timed alone, with the kernels that take longest."""
    settings = settings_of(case)
    spec = diorama.make(str(case["world"]), copies=_COPIES_TO_ASK, seed=1, threads=1).spec
    workers = Workers(1)
    policy = build_policy(spec, settings, seed=1)
    ppo = PpoUpdate(policy, settings, workers)
    steps = settings.ppo.rollout_steps
    length = (settings.ppo.sequence_length or steps) if policy.memory_width else 1
    shape = RolloutShape(
        spec=spec,
        copies=int(str(case["copies"])),
        steps=steps,
        sequence_length=length,
        memory_width=policy.memory_width,
        extras={},
    )
    rollout = _made_up(policy, shape)
    scaler = RewardScaler(settings.normalization, shape.rows, settings.ppo.gamma).to(rollout.device)
    moment = UpdateContext(seed=1, update=0, env_steps=0, exploration=policy.heads.plan.exploration(0))
    experience = build_experience(rollout, policy.heads.plan, settings.ppo, scaler)

    def learn() -> None:
        ppo.learn(experience, moment)

    def value() -> None:
        build_experience(rollout, policy.heads.plan, settings.ppo, scaler)

    found: dict[str, JsonValue] = {**case, "decisions": shape.steps * shape.rows}
    for name, work in (("learn", learn), ("appraise", value)):
        found[f"{name}_ms"] = wall(work, repeats=5) * 1e3
        found[f"{name}_kernels"] = kernels_of(work)
    yield found


def kernels_of(work: Callable[[], object], *, count: int = 14) -> list[JsonObject]:
    """Return what takes longest on the GPU and on the host while some work is done once."""
    with torch.profiler.profile() as profile:
        work()
        settle()
    events = profile.key_averages()
    on_device = sorted(events, key=lambda event: event.self_device_time_total, reverse=True)
    on_host = sorted(events, key=lambda event: event.self_cpu_time_total, reverse=True)
    total: JsonObject = {
        "name": "all",
        "device_ms": sum(event.self_device_time_total for event in events) / 1e3,
        "host_ms": sum(event.self_cpu_time_total for event in events) / 1e3,
        "calls": sum(event.count for event in events),
    }
    chosen = {event.key: event for event in [*on_device[:count], *on_host[: count // 2]]}
    return [
        total,
        *(
            {
                "name": event.key[:90],
                "device_ms": event.self_device_time_total / 1e3,
                "host_ms": event.self_cpu_time_total / 1e3,
                "calls": event.count,
            }
            for event in chosen.values()
        ),
    ]


def _deciding(policy: Policy, rollout: RolloutBuffer) -> Callable[[], None]:
    seen = rollout.inputs
    exploration = policy.heads.plan.exploration(0)
    key = DrawKey(seed=1, update=0, step=0)

    def decide() -> None:
        features, memory = policy.features(seen["obs"][0], seen["obs_u8"][0], rollout.memory, seen["episode_start"][:1])
        rollout.memory.copy_(memory)
        policy.heads.sample(
            features.actor,
            seen["masks"][0],
            {},
            ActionSampling(exploration=exploration, key=key),
            actions=rollout.actions[0],
            log_probs=rollout.log_probs[0],
        )
        rollout.values[0].copy_(policy.values(features))

    return decide


def _repeat(work: Callable[[], object], times: int) -> None:
    for _ in range(times):
        work()


def _captured(work: Callable[[], object]) -> Callable[[], object]:
    if not torch.cuda.is_available():
        return work
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work()
    return graph.replay


def _made_up(policy: Policy, shape: RolloutShape) -> RolloutBuffer:
    rollout = RolloutBuffer(shape, next(policy.parameters()).device)
    seen = rollout.inputs
    seen["obs"].normal_()
    seen["masks"].bernoulli_(0.5)
    seen["masks"][..., 0] = 1
    seen["alive"].fill_(1)
    seen["episode_start"].bernoulli_(0.02)
    rollout.host["rewards"].normal_()
    rollout.host["terminated"].copy_(seen["episode_start"])
    rollout.values.normal_()
    rollout.log_probs.fill_(-1.0)
    return rollout
