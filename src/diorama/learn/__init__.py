"""Learning and judging: policies, training and evaluation; nothing here names a world."""
