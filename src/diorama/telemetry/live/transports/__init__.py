"""The ways telemetry leaves the process, apart from those who subscribe."""
