"""Models of servers: listed, fetched, probed, put to use."""
