"""What makes consoles an environment: starts, pictures, goals, tasks, rewards. `worlds/gameboy/README.md` tells how."""
