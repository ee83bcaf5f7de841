"""The door to the network (--share): where it opens, who came through it, and how others find it."""
