"""Rules of the battle, one to a file; `tick.py` beside this folder has their order."""
