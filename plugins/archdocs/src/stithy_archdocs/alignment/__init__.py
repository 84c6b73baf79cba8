"""What decision records say to a proposal."""
