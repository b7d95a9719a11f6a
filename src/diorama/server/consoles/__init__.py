"""Consoles that people play key by key: which there are, their sessions, and how their pictures travel."""
