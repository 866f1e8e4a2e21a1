"""Text to token ids and back, around the `tokenizers` library.

Special tokens (turn marks, end of text) are never read out of a user's words: `encode` takes
"<|im_end|>" as ten characters unless it is asked otherwise, and `encode_chat` lets only the chat
template write special tokens. How: before the template runs, the first character of every special
token that the user's text spells is swapped for a Unicode noncharacter. Whatever special tokens the
tokenizer then finds in the rendered text are the template's own; the text between them gets its
characters back and is encoded as plain text.

Building a tokenizer from files is the loaders' part.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property

import tokenizers

from lab.errors import LabError
from lab.models import token_text
from lab.models.chat import ChatTemplate
from lab.models.token_text import TextStream, TokenBytes

_NONCHARACTERS = [chr(code) for code in range(0xFDD0, 0xFDF0)]  # never in text, by the Unicode standard


class Tokenizer:
    """A vocabulary with its special tokens and, where the model has one, its chat template.

    `special` names tokens for the template (`bos_token`, `eos_token` …); `eos_ids` end a generation.
    Raises LabError for a kind of vocabulary that the lab does not know.
    """

    def __init__(
        self,
        backend: tokenizers.Tokenizer,
        eos_ids: tuple[int, ...],
        chat_template: str | None = None,
        special: Mapping[str, str] | None = None,
    ) -> None:
        backend.no_padding()
        backend.no_truncation()
        self.eos_ids = eos_ids
        self.chat_template = None if chat_template is None else ChatTemplate(chat_template, special or {})
        self.special = dict(special or {})
        self.backend = backend  # the library's own object; reads special tokens in a text as such
        added = backend.get_added_tokens_decoder()
        self.special_ids = frozenset(index for index, token in added.items() if token.special)
        self._token_bytes = TokenBytes(backend)
        marks = sorted({added[index].content for index in self.special_ids}, key=len, reverse=True)
        self._mark_starts = re.compile(
            f"(?=({'|'.join(map(re.escape, marks))}))." if marks else "(?!)", re.DOTALL
        )
        initials = sorted({mark[0] for mark in marks})
        if len(initials) > len(_NONCHARACTERS):
            raise LabError(
                f"The special tokens begin with {len(initials)} different characters.",
                f"The lab can tell at most {len(_NONCHARACTERS)} apart: choose another model.",
            )
        self._hidden = dict(zip(initials, _NONCHARACTERS, strict=False))
        self._shown = str.maketrans({hidden: initial for initial, hidden in self._hidden.items()})

    @property
    def vocab_size(self) -> int:
        """How many tokens the vocabulary has, special ones among them."""
        return int(self.backend.get_vocab_size(with_added_tokens=True))

    @cached_property
    def _plain(self) -> tokenizers.Tokenizer:
        """The same vocabulary reading special tokens as the characters they are."""
        plain = tokenizers.Tokenizer.from_str(self.backend.to_str())
        plain.encode_special_tokens = True
        return plain

    def encode(self, text: str, *, add_special: bool = False, parse_special: bool = False) -> list[int]:
        """Token ids of a text. `add_special` adds the model's own beginning and end marks; `parse_special`
        reads special tokens that are spelled out in the text. Raises LabError for an empty text and for
        lone surrogates."""
        check_text(text)
        backend = self.backend if parse_special or not self._spells_special(text) else self._plain
        return list(backend.encode(text, add_special_tokens=add_special).ids)

    def encode_chat(self, user_text: str, system: str | None = None) -> list[int]:
        """Token ids of one user turn in the model's chat format, up to where the answer begins.

        The texts cannot add special tokens. Raises LabError for a model without a chat template, an empty
        text, lone surrogates and noncharacters.
        """
        if self.chat_template is None:
            raise LabError(
                "This model has no chat template.", "Send the text as it is, or choose a chat model."
            )
        turns = [("user", user_text)] if system is None else [("system", system), ("user", user_text)]
        for _, text in turns:
            check_text(text)
            if any(character in _NONCHARACTERS for character in text):
                raise LabError("The text holds a Unicode noncharacter (U+FDD0–U+FDEF).", "Delete it.")
        messages = [{"role": role, "content": self._hide_special(text)} for role, text in turns]
        return self._encode_between_marks(self.chat_template.render(messages))

    def _spells_special(self, text: str) -> bool:
        unknown = self.backend.token_to_id(getattr(self.backend.model, "unk_token", None) or "")
        found = self.special_ids.intersection(self.backend.encode(text, add_special_tokens=False).ids)
        return bool(found - {unknown})

    def _hide_special(self, text: str) -> str:
        hidden = self._mark_starts.sub(lambda match: self._hidden[match.group(0)], text)
        if self._spells_special(hidden):  # a tokenizer may fold other characters into a special token
            raise LabError("The text spells a special token of this model in other characters.", "Delete it.")
        return hidden

    def _encode_between_marks(self, rendered: str) -> list[int]:
        marked = self.backend.encode(rendered, add_special_tokens=False)
        if rendered == rendered.translate(self._shown):
            return list(marked.ids)  # no special token in the user's text
        ids: list[int] = []
        start = 0
        for token_id, (left, right) in zip(marked.ids, marked.offsets, strict=True):
            if token_id in self.special_ids:
                ids += [*self._plain_ids(rendered[start:left]), token_id]
                start = right
        return ids + self._plain_ids(rendered[start:])

    def _plain_ids(self, text: str) -> list[int]:
        return list(self._plain.encode(text.translate(self._shown), add_special_tokens=False).ids)

    def decode(self, ids: Sequence[int], *, skip_special: bool = False) -> str:
        """The text of some tokens; bytes that form no character become U+FFFD."""
        stream = self.stream(skip_special=skip_special)
        return "".join([*map(stream.push, ids), stream.finish()])

    def stream(self, *, skip_special: bool = False) -> TextStream:
        """An empty text that grows token by token."""
        return TextStream(self._token_bytes, self.special_ids if skip_special else frozenset())

    def pieces(self, ids: Sequence[int]) -> list[str]:
        """One display string a token (see `token_text.pieces`)."""
        return token_text.pieces(self._token_bytes, ids)


def check_text(text: str) -> None:
    """Raise LabError for a text that cannot be encoded: empty, or with half of a surrogate pair."""
    if not text:
        raise LabError("The text is empty.", "Type at least one character.")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        code = f"U+{ord(text[error.start]):04X}"
        raise LabError(
            f"The text holds half of a character ({code}, a lone surrogate, at position {error.start}).",
            "Delete it, or paste the text again.",
        ) from error
