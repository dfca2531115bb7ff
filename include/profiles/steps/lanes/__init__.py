"""Parts of `synthesise`: the engine of a run, its devices and the assembled lane."""
