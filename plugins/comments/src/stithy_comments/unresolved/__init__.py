"""Unresolved comments of a pull request (PULL-20, ADR 15).

`sources` reads the lists concurrently, `asks` decides by facts alone what is unresolved, `entries` creates the rows of
the result, `commands` the ready calls in them, and `finding` is the handler.
"""
