"""How a row of the instruction table is packed into 31 bits: the first bit of every piece, and its values."""

from typing import Final

GROUP: Final = 0  # 5 bits: which body
IMMEDIATES: Final = 5  # 2 bits: bytes behind the opcode
ADDRESS: Final = 7  # 3 bits: where memory is touched: BC, DE, HL, or one of those below
READS: Final = 10  # 2 bits: bytes read there
WRITES: Final = 12  # 2 bits: bytes written there
HL_STEP: Final = 14  # 2 bits: 1 adds one to HL, 2 takes one away
CONDITION: Final = 16  # 3 bits: 4 to 7 for NZ, Z, NC, C; 0 always
SOURCE: Final = 19  # 3 bits: which register, or the low one of which pair
SOURCE_WIDTH: Final = 22  # 2 bits: 0 immediate, 1 register, 2 pair, 3 SP
DEST: Final = 24  # 3 bits
DEST_WIDTH: Final = 27  # 2 bits: 0 nowhere, 1 register, 2 pair, 3 SP
POST: Final = 29  # 2 bits: internal slots at the end

TOUCHES: Final = 0x3C00  # reads or writes

STACK: Final = 3
ABSOLUTE: Final = 4
HIGH_PAGE: Final = 5
AT_C: Final = 6

PREFIX: Final = 0xCB
PREFIXED_ROWS: Final = 256
