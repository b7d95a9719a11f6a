"""Beyond one process: searches over settings and evaluations on a Ray cluster, of this machine or of many."""
