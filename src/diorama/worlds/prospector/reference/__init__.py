"""The readable tier of `prospector`; begin with `state.py`, then `step.py`."""
