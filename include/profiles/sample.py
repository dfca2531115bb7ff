"""Name that reproduction scripts import; the sample is package `sample_data`."""

from sample_data import BUNDLED_SAMPLE, load_sample, write_sample

__all__ = ["BUNDLED_SAMPLE", "load_sample", "write_sample"]
