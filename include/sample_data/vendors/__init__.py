"""Vendor formats: one maker per vendor, from a person and what the vendor saw of it."""
