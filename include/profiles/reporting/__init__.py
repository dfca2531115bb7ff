"""The run report as one HTML file that needs nothing else: no network, no server, no second file.

Pure apart from reading its own template, style and script. Every value is escaped by the template
engine, whatever it says: reasons and errors are data.
"""

from profiles.reporting.page import page_policy, render_html

__all__ = ["page_policy", "render_html"]
