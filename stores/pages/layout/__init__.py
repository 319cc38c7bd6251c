"""What glyphs and places on printed leaves say: lines, tables, headings, paragraphs."""
