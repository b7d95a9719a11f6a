"""What every test on a cluster is marked with."""

from importlib.util import find_spec

import pytest

ON_RAY = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed; the extra 'scale' brings it"),
    pytest.mark.filterwarnings("ignore"),
]
