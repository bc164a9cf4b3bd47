"""From data to files, each with what is declared of it in a TOML file beside."""
