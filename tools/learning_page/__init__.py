"""The page of what is learned, made from the report of `benchmarks/learning.py`."""
