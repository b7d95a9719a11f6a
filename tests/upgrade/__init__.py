"""Artifacts that released versions have written, and tests that this version still reads, plays and continues them.

`python -m tests.upgrade.record` writes those of the version that is installed to `artifacts/VERSION`; they are
recorded once, when a version is released, and never changed afterwards.
"""
