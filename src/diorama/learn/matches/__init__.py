"""Matches: episodes between a learner's side and opponents, who is met next, and how strong everybody is."""
