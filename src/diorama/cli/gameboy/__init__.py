"""`diorama gameboy`: verify, assemble, disassemble, trace, play and judge ROMs."""
