"""The catalogue: all runs and replays below a root in one SQLite file, a cache that can be deleted at any time."""

from diorama.runs.catalogue.catalogue import Catalogue, RunListing, RunRow

__all__ = ["Catalogue", "RunListing", "RunRow"]
