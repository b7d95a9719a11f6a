"""Which sources of analytics a run has, how fresh they are and where they come from."""
