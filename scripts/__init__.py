"""Scripts that the Makefile runs. Not part of the installed package."""
