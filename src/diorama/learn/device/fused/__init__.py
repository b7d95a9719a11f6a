"""Kernels that do in one pass over a GPU's memory what torch does in dozens; torch can do everything they do."""
