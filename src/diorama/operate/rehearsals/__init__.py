"""Rehearsals: what an operator will have to do one day, done now, step by step, against a real live world."""
