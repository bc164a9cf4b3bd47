"""Commands for who must choose models: a few that suffice, or the one that a few answers prove."""
