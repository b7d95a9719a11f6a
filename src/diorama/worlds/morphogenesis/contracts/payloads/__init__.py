"""Payloads of the telemetry events, one frozen record per event."""
