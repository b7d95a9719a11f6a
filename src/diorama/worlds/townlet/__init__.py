"""Townlet: a few citizens live, work, queue and quarrel in a small town, and operators intervene."""
