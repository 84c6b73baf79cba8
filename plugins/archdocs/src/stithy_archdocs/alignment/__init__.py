"""Compare a proposal with decision records: does it support, contradict or only concern them?

`tokenizer`, `clause_splitter` and `statement_parser` turn text into tokens, clauses and statements. The rules of
`rule_signals` turn pairs of statements into signals. `features` adds numbers, and the fitted model in `verdicts` weighs
all of them to one verdict for each record. Throughout, a sign is 1 for a wanted word, -1 for an unwanted one, and 0 for
both.
"""
