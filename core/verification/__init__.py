"""From a claim and pages to a verdict with evidence."""
