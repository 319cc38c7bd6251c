"""Page files into pages: folders, archives, web sites; one reader a format."""
