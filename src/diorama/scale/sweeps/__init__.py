"""Searches over the settings of a training: every trial is a run of its own, beside the others in the run store."""
