"""Unresolved comments of a pull request (PULL-20, ADR 15).

`unresolved_sources` reads the lists concurrently, `unresolved_items` decides by facts alone what is unresolved,
`unresolved_entries` creates the rows of the result, `action_commands` the ready calls in them, and
`unresolved_handler` has the handler.
"""
