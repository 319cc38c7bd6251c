"""Files of other tools into suites: one file a tool, found by discovery."""
