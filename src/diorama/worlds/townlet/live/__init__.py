"""A town that runs live: told block by block, narrated, watched, saved, loaded and reloaded."""
