"""Files that are checked as they are read: shared by stores and rankers that keep SQLite databases."""
