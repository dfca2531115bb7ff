"""One module per task: read, call the core, write, count. The only place where both meet."""
