"""The family of specs/1: issues, pull requests, and what is said in their conversations."""
