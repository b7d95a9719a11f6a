"""Campaigns that people play day by day, kept as files."""
