"""The git history that the conformance suite needs, in a real repository (docs/plugins/recordings-and-tests.md)."""

from git_forge import Workshop

LINES = "".join(f"line {number}\n" for number in range(1, 11))
CODE = "".join(f"print({number})\n" for number in range(1, 13))


def write_conformance_history(shop: Workshop) -> None:
    """Write and push `main`, `greet`, `before`, which was merged into `main` after `greet` was created, and `later`."""
    shop.commit("Begin", {"README.md": "# Conformance\n", "old.txt": "old\n", "hello.txt": LINES})
    shop.branch("greet")
    shop.commit("Add hello.py", {"hello.py": CODE})
    shop.git("mv", "README.md", "READ.md")
    shop.commit("Change texts", {"hello.txt": LINES.replace("line 5", "line five"), "old.txt": None})
    shop.branch("before", "main")
    shop.commit("Add before.txt", {"before.txt": "before\n"})
    shop.switch("main")
    shop.git("merge", "-q", "--no-ff", "-m", "Merge before", "before")
    shop.branch("later", "greet")
    shop.commit("Add later.txt", {"later.txt": "later\n"})
    shop.push()
