"""The one error that the simulations raise for bad input.

It is a ValueError, so that a notebook needs no import to catch it. Programming mistakes stay
ordinary Python exceptions.
"""


class InputError(ValueError):
    """Bad input: `what` names the refused value, `remedy` says what to do instead.

    `key` and `values` identify the message, so that a page can say it in the reader's language;
    the two English sentences are complete without them.
    """

    def __init__(self, what: str, remedy: str, key: str = "", **values: object) -> None:
        super().__init__(f"{what} {remedy}".strip())
        self.what = what
        self.remedy = remedy
        self.key = key
        self.values = values
