"""The lane and its engine: leases, the engine process, prompts. Imports no engine itself."""
