"""`diorama telemetry`: validates, watches and summarizes the telemetry of a run."""
