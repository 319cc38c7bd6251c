"""What the words mean and how answers are judged: no database, no screen."""
