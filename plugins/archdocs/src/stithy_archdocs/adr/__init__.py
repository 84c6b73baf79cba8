"""Parsers of decision records: status, links, options, numbers, and chains of supersession."""
