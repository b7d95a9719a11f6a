"""Decisions: what citizens may do, what they set out to do, and which step that comes to."""
