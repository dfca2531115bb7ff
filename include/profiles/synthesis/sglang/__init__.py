"""SGLang: its arguments, its engine and what is particular to it."""
