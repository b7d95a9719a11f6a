"""A wall of live copies: one batch that is stepped for whoever looks, all of its pictures at once."""
