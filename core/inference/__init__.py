"""Models behind ports: Ollama, embeddings, the journalled call."""
