"""Evaluation: contenders play the same episode seeds; summaries, comparisons and reports of the results."""
