"""What the parts of this world say to each other: enums, constants and typed records of plain values."""
