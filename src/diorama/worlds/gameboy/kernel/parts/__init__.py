"""The pieces of the kernel, one idea each, in the subset of Python that Warp compiles."""
