"""The sections of a report, each from the results that it shows."""
