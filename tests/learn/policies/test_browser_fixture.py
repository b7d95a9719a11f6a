"""The policy by which the runtime of the browser is tested is one of ours, and its answers are those of torch."""

import json
from base64 import b64decode
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.learn.policies.browser_fixture import ANSWERS, MODEL, answers, policy_step

TOLERANCE = 1e-5


def arrays(document: dict[str, Any]) -> dict[str, NDArray[Any]]:
    return {
        name: np.frombuffer(b64decode(array["data"]), array["dtype"]).reshape(document["count"], document["seats"], -1)
        for name, array in document["arrays"].items()
    }


def test_the_file_gives_the_answers_that_are_kept_beside_it() -> None:
    onnxruntime = pytest.importorskip("onnxruntime")
    kept = arrays(json.loads(ANSWERS.read_text(encoding="utf-8")))
    session = onnxruntime.InferenceSession(MODEL, providers=["CPUExecutionProvider"])
    memory = np.zeros_like(kept["next_memory"][0])

    for decision in range(len(kept["obs"])):
        seen = {name: kept[name][decision] for name in ("obs", "mask", "starts")}
        actions, probabilities, values, memory = session.run(None, {**seen, "memory": memory})
        np.testing.assert_array_equal(actions, kept["actions"][decision])
        np.testing.assert_allclose(probabilities, kept["probabilities"][decision], atol=TOLERANCE)
        np.testing.assert_allclose(values, kept["values"][decision, :, 0], atol=TOLERANCE)
        np.testing.assert_allclose(memory, kept["next_memory"][decision], atol=TOLERANCE)


def test_the_answers_are_those_of_torch() -> None:
    kept = arrays(json.loads(ANSWERS.read_text(encoding="utf-8")))

    fresh = arrays(json.loads(json.dumps(answers(policy_step()))))

    assert kept.keys() == fresh.keys()
    for name, array in fresh.items():
        np.testing.assert_allclose(kept[name], array, atol=TOLERANCE, err_msg=name)
