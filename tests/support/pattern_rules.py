"""Rules that patterns of the tests carry."""

NO_PRINT = {
    "id": "no-print",
    "language": "python",
    "message": "no print",
    "rule": {"pattern": "print($A)"},
    "invalid": ["print(1)"],
}
