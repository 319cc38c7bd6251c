"""A run on several machines: samples go out to workers, results come back and are
saved here."""
