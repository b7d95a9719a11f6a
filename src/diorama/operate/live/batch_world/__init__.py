"""`BatchWorld`: any world live, over a batch of one copy."""
