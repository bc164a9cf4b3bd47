"""The questions of one who has to choose: which models suffice, and which is best by answers."""
