"""Well-known simulators in words: `gym:FrozenLake-v1`, `minigrid:MiniGrid-DoorKey-5x5-v0` and others.

Each world is a vocabulary file as a user would write one (`assay.agents.gym_file` says what it may define):
one action per key, and its arguments are the things that take part. What a press needs and does is for the
learner to find out.
"""
