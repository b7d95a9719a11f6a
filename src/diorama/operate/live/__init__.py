"""Live worlds: the clock, the seven stages of a tick, who decides, and what survives a crash."""
