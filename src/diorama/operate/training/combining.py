"""What does not go together with training in several places: refused before anything is started."""

from diorama.contracts.errors import ConfigError
from diorama.learn.settings.trainer import RewardScale
from diorama.operate.training.needs import needs_of
from diorama.operate.training.plan import TrainingPlan


def check_processes(plan: TrainingPlan, processes: int) -> None:
    """Refuse a plan that several processes cannot train together.

    Raises:
        ConfigError: With the first setting that is in the way, and what would be right.
    """
    settings = plan.settings
    flag = f"--processes {processes}"
    if settings.copies % processes:
        raise ConfigError(f"{flag}: copies is {settings.copies}, and each process has as many; use a multiple")
    if settings.has_matches:
        raise ConfigError(f"{flag} does not go with self_play or curriculum; --ray-workers {processes} does")
    _refuse_what_is_local(plan, flag)
    if settings.normalization.rewards is RewardScale.RUNNING_STD:
        raise ConfigError(
            f"{flag}: normalization.rewards running_std follows every reward in order; use return_std or reward_std"
        )
    if settings.ppo.diagnosed:
        raise ConfigError(f"{flag}: ppo.diagnosed looks into the copies of one process; set it to false")


def check_workers(plan: TrainingPlan, workers: int) -> None:
    """Refuse a plan whose rollouts cannot be gathered by workers elsewhere.

    Raises:
        ConfigError: With the first setting that is in the way, and what would be right.
    """
    flag = f"--ray-workers {workers}"
    if workers > plan.settings.copies:
        raise ConfigError(f"{flag}: there are {plan.settings.copies} copies; use at most one worker for each")
    _refuse_what_is_local(plan, flag)
    if plan.settings.ppo.teacher_share != 0.0:
        raise ConfigError(f"{flag}: ppo.teacher_share asks copies at hand; set it to 0")


def _refuse_what_is_local(plan: TrainingPlan, flag: str) -> None:
    settings, world = plan.settings, plan.venue.world
    if not plan.learns:
        raise ConfigError(f"{flag}: the backend random learns nothing; use ppo")
    if settings.execution.is_pipelined:
        raise ConfigError(
            f"{flag} does not go with the pipeline of a GPU; add --set execution.pipeline=false, or leave {flag} out"
        )
    conducted = {
        "course": settings.course,
        "anneal": settings.anneal,
        "replay": settings.replay,
    }
    asked = [name for name, section in conducted.items() if section is not None]
    if asked:
        raise ConfigError(f"{flag} does not go with {asked[0]}, which conducts the copies of one process")
    if world.course is not None or world.telemetry is not None:
        raise ConfigError(
            f"{flag}: {world.id!r} exchanges copies, or looks into them, in one process; leave {flag} out"
        )
    if needs_of(world.id, plan.venue.config.model_dump()).one_lane:
        raise ConfigError(f"{flag}: copies of {world.id!r} step together in one process; leave {flag} out")
