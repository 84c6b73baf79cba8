"""A world to play in: everything that the double holds, with a method to make each situation."""

from github_double.apps import Apps
from github_double.machines import Machines


class World(Apps, Machines):
    """All that one GitHub holds, with its user, who has a repository's administration where it is that user's own."""

    def __init__(self) -> None:
        super().__init__()
        self.other_user = self.add_user("stranger")
        self.token = "token-of-smith"
        """The usual one."""
        self.other_token = "token-of-stranger"
        self.add_token(self.token, self.user, scopes=("repo", "read:org"))
        self.add_token(self.other_token, self.other_user)
