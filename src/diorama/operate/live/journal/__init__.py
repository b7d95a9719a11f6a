"""The log of a live world: what it was told, tick by tick, since it was last saved."""
