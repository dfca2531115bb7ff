"""Parts of `plan_synthesis`: the release, the stale documents and their cost."""
