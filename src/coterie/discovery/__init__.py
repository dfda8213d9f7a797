"""Finds the groups: screen all features, discover candidates, refine their structure."""
