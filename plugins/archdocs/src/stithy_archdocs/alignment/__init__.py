"""Compare a proposal with decision records: does it support, contradict or only concern them?

`signed_terms` parses texts to words with a sign: 1 for a wanted word, -1 for an unwanted one, 0 for neither.
`certain_rules` compares them with those of a record, and gives a verdict only where it is certain.
"""
