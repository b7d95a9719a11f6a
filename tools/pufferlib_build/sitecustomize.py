"""Supplies the name that PufferLib 3.0.0's setup reads without defining when its bundled environments are off."""

import builtins

builtins.c_extension_paths = []  # type: ignore[attr-defined]
