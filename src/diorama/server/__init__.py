"""HTTP and WebSocket: runs, replays and play for people and programs; serves the web client."""
