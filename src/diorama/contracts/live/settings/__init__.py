"""Settings of the services around a live world; a world's own configuration may hold these sections."""
