"""The readable tier of `tidebreak`; `fields/` is its spatial field engine."""
