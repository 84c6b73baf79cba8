"""What is unresolved on a pull request (PULL-20, ADR 15).

    sources ──> asks ──> entries ──> result
    read        what     how it      summary, page, text
    at once     asks     is acted on

`asks` decides by facts alone what still asks for something; no text is judged. `entries` makes of each what an agent
acts on.
"""
