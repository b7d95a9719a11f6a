import sys
from pathlib import Path

# The scripts import what they share by the names it has beside them.
sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
