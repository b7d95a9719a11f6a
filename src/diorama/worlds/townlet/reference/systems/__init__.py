"""The rules of the town, one per file; `tick.py` above puts them in order."""
