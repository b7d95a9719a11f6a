"""Runs side by side: groups, cohorts, and what can honestly be said about their difference."""
