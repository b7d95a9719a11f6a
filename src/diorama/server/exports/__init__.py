"""Policies of runs as ONNX files, for pages that let them decide."""
