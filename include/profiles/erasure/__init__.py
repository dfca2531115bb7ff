"""Removes people from everything the pipeline made; every run repeats it for restored backups."""
