"""The server of a live world: telemetry and the operator's console over HTTP and WebSockets."""
