"""Morphogenesis: a small network trains while a controller plants, blends, keeps or removes new modules in it."""
