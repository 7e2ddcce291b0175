"""Result folders: the journal and the files derived from it."""
