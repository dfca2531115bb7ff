"""The failure matrix: faults in a running installation, and what they cost."""
