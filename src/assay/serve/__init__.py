"""A page on this machine for result folders: live while a run goes on, and a place to try the model."""
