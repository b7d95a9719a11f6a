"""One record per policy update, as NDJSON: written, read, checked, watched and summed up."""
