"""Training of the network that finds the playing field."""
