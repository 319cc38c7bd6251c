"""Pages and their sentences, indexed: texts, vectors, Chroma, search."""
