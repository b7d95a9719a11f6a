"""`diorama champion`: the best policies of the worlds, built, shown and checked."""
