"""What a user without an optional package is told."""

import sys

import pytest

from diorama.contracts.errors import MissingExtra


@pytest.mark.parametrize(
    ("module", "package", "message"),
    [
        pytest.param("sb3", "stable_baselines3", r"pip install 'diorama\[sb3\]'", id="sb3"),
        pytest.param("rllib", "ray", r"pip install 'diorama\[rllib\]'", id="rllib"),
        pytest.param("puffer", "pufferlib", r"README\.md says how", id="puffer"),
    ],
)
def test_a_missing_package_gives_one_line_that_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, module: str, package: str, message: str
) -> None:
    name = f"diorama.engine.adapters.{module}"
    for loaded in [loaded for loaded in sys.modules if loaded == name or loaded.split(".")[0] == package]:
        monkeypatch.delitem(sys.modules, loaded)
    monkeypatch.setitem(sys.modules, package, None)

    with pytest.raises(MissingExtra, match=message):
        __import__(name)
