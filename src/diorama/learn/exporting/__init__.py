"""Policies outside of torch: one decision as an ONNX graph, and the proof that it decides alike."""
