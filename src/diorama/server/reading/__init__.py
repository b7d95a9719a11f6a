"""Reads the files of runs for many callers at once: safely, and no more often than they change."""
