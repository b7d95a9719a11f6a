"""Authored tables of the campaign as YAML, read into frozen rows."""

from diorama.worlds.tidebreak.campaign.content.loading import Tables, tables

__all__ = ["Tables", "tables"]
