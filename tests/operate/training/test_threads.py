"""How many threads step the copies of a run."""

import pytest

from diorama.operate.training.learners import training_share
from diorama.operate.training.plan import plan_training
from diorama.operate.training.settings import TrainingSettings

CORES = 16


@pytest.mark.parametrize(
    ("execution", "stepping"),
    [
        pytest.param({"pipeline": True}, 14, id="beside-a-device-two-cores-lead"),
        pytest.param({"pipeline": True, "threads": 3}, 3, id="beside-a-device-no-more-than-asked-for"),
        pytest.param({"pipeline": True, "threads": 1}, 1, id="beside-a-device-one"),
        pytest.param({"pipeline": True, "threads": 99}, 14, id="beside-a-device-no-more-than-cores"),
        pytest.param({"lane_copies": 8}, 16, id="one-lane-has-all-cores"),
        pytest.param({"lane_copies": 8, "threads": 3}, 3, id="one-lane-has-no-more-than-asked-for"),
        pytest.param({"lane_copies": 2}, 4, id="lanes-share-the-cores"),
        pytest.param({"lane_copies": 2, "threads": 9}, 2, id="lanes-share-what-was-asked-for"),
        pytest.param({"lane_copies": 2, "threads": 2}, 1, id="fewer-threads-than-lanes"),
    ],
)
def test_no_more_threads_step_than_were_asked_for(execution: dict[str, object], stepping: int) -> None:
    asked = {"world": "prospector", "copies": 8, "tier": "fast", "execution": execution}
    plan = plan_training(TrainingSettings.model_validate(asked))

    batch = training_share(plan, 0, 1, cores=CORES)

    batch.close()
    assert batch.facts.threads == stepping
