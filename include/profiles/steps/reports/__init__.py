"""The figures of a run: summed, stored and written as files."""
