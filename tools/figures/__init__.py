"""The page of figures, made from stored reports of the benchmarks."""
