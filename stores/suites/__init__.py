"""Suite files and answers: loading, checking, editing, import and export."""
