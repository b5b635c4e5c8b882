"""Files of matches: what is written for other programs and for people, and read back."""
