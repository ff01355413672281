"""Topics of topical crawls, as data: one TOML file each."""
