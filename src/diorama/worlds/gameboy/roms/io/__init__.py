"""Programs about timer, serial port, joypad, DMA and interrupts."""
