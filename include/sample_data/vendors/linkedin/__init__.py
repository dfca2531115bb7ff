"""The six shapes in which LinkedIn profiles are sold or scraped.

Each maker returns the vendor's JSON and the full name as the vendor spells it.
"""

from __future__ import annotations

from sample_data.vendors.linkedin import (
    brightdata,
    dev_fusion,
    harvest,
    people_data_labs,
    phantombuster,
    proxycurl,
)
from sample_data.vendors.linkedin.maker import Maker

__all__ = ["MAKERS"]

MAKERS: tuple[tuple[str, Maker, int], ...] = (
    ("proxycurl", proxycurl.proxycurl, 24),
    ("apify_dev_fusion", dev_fusion.dev_fusion, 26),
    ("apify_harvestapi", harvest.harvest, 18),
    ("brightdata", brightdata.brightdata, 16),
    ("people_data_labs", people_data_labs.people_data_labs, 9),
    ("phantombuster", phantombuster.phantombuster, 7),
)
"""Vendor name, maker, weight."""
