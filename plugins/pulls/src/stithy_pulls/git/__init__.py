"""Read repositories with git: a cache of bare repositories, fetching, and the commands that the tools need."""
