"""AsciiDoc as HTML: blocks, tables and marks inside a line."""
