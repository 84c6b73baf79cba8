"""Compare a proposal with decision records: does it support, contradict or only concern them?

A text becomes tokens, clauses and statements (`proposal_parser`). Rules turn pairs of statements into signals
(`rule_signals`). `measuring` adds numeric features, and a fitted model (`odds`) weighs all of them to one verdict for
each
record (`verdicts`). Throughout, a sign is 1 for a wanted word, -1 for an unwanted one, and 0 for both.
"""
