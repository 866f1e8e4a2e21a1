"""The one error that the lab raises for bad input: what was wrong, and what to do about it.

Pages and the command line print both sentences and no traceback. Programming mistakes
stay ordinary Python exceptions.
"""


class LabError(Exception):
    """Bad input or a missing resource.

    `what` names the value that was refused; `remedy` says what to do instead.
    """

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(f"{what} {remedy}".strip())
        self.what = what
        self.remedy = remedy
