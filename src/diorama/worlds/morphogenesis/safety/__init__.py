"""The governor: notices a host that is being ruined."""
