"""Everything is tested as source, whatever `make compiled` made in this clone.

What it makes is compared with the source in `integration/test_compiled_build.py`. A suite that runs
with PROFILES_COMPILED=1 tests the build instead; a test that replaces a function then fails.
"""

import os

os.environ.setdefault("PROFILES_COMPILED", "0")
