"""How the copies of a run are shared out among workers."""

import pytest

from diorama.scale.rollouts.arrays import shares_of
from diorama.training.envs import training_share
from diorama.training.plan import plan_training
from diorama.training.settings import TrainingSettings


def test_shares_are_those_a_batch_is_split_into() -> None:
    plan = plan_training(TrainingSettings.model_validate({"world": "prospector", "copies": 11}))
    sizes = [training_share(plan, place, 4, cores=1).copies for place in range(4)]

    shares = shares_of(11, 4)
    assert [share.stop - share.start for share in shares] == sizes
    assert [index for share in shares for index in range(11)[share]] == list(range(11))


@pytest.mark.parametrize(("cores", "inside"), [(1, 1), (2, 1), (4, 2)])
def test_the_lanes_of_a_share_divide_the_cores_it_was_given(cores: int, inside: int) -> None:
    settings = {"world": "prospector", "copies": 16, "execution": {"lane_copies": 4}}
    plan = plan_training(TrainingSettings.model_validate(settings))
    assert training_share(plan, 1, 2, cores=cores).facts.threads == inside


def test_beside_a_device_all_slices_share_the_cores_but_those_who_lead_them() -> None:
    settings = {"world": "prospector", "copies": 16, "execution": {"pipeline": True, "lane_copies": 4}}
    plan = plan_training(TrainingSettings.model_validate(settings))
    assert training_share(plan, 0, 1, cores=8).facts.threads == 6
    assert training_share(plan, 0, 1, cores=2).facts.threads == 1
