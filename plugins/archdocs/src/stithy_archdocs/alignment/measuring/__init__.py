"""Numeric features of a proposal and a record, without a verdict."""
