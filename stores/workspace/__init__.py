"""The workspace: where things lie, who may write, its settings and its log."""
