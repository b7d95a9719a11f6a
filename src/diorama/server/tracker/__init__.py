"""Weights & Biases behind the server: the browser never sees a key."""
