"""The instruction set as data: one table that drives assembler, disassembler, kernels and tests."""
