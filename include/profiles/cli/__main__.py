"""`python -m profiles.cli`, where the `profiles` script is not on the path."""

import sys

from profiles.cli import main

if __name__ == "__main__":
    sys.exit(main())
