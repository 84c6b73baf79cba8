"""What can be measured of a proposal and a record: numbers, and no verdict."""
