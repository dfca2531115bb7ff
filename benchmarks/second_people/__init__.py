"""Invented people seen by four tables: a second test generator for record linkage.

Names follow a Zipf-like law per culture, so many different people share one; every key of a row
is drawn apart; each row sees the person at another time. `levels.yaml` holds the rates.
"""
