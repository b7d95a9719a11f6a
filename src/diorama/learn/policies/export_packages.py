"""Check that the packages for ONNX exports are installed."""

from importlib.util import find_spec
from typing import Final

from diorama.contracts.errors import MissingExtra

_PACKAGES: Final = ("onnx", "onnxscript", "onnxruntime")


def require_onnx() -> None:
    """Raise an error if a package is missing.

    Raises:
        MissingExtra: With the command that installs them.
    """
    if any(find_spec(package) is None for package in _PACKAGES):
        raise MissingExtra.of("export", needed_for="exporting a policy")
