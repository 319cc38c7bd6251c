"""The process and what surrounds it: streams, logs, faults, memory, children."""
