"""`stithy init`: adds the server to the settings of agent hosts, and a forge to `stithy.toml`."""
