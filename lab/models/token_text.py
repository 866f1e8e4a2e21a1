"""From token ids back to text, one token at a time.

A token is a run of bytes, and a character may be spread over several tokens: an emoji or an Arabic
letter often is. This module knows the bytes of a token, keeps an unfinished character until it is
complete, and shows each token as one readable piece. It does not encode.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable

import tokenizers

from lab.errors import LabError

_SPACE_MARK = "▁"  # how SentencePiece vocabularies write a space


class TokenBytes:
    """The bytes of each token of a vocabulary: byte-level BPE, or SentencePiece with byte fallback.

    Raises LabError for a vocabulary of another kind.
    """

    def __init__(self, backend: tokenizers.Tokenizer) -> None:
        self._backend = backend
        self._added = {index: token.content for index, token in backend.get_added_tokens_decoder().items()}
        steps = _decoder_steps(backend)
        kinds = [step["type"] for step in steps]
        if "ByteLevel" in kinds:
            self._of_symbols = _byte_level
        elif "ByteFallback" in kinds or "Metaspace" in kinds:
            self._of_symbols = _sentencepiece
        else:
            raise LabError(
                f"This tokenizer decodes by {' + '.join(kinds) or 'nothing'}, which the lab does not know.",
                "Choose a model with a byte-level BPE or a SentencePiece tokenizer.",
            )
        self.strips_first_space = any(_strips_first_space(step) for step in steps)

    def __getitem__(self, token_id: int) -> bytes:
        if token_id in self._added:
            return self._added[token_id].encode()
        symbols = self._backend.id_to_token(token_id)
        # Embeddings are often padded beyond the vocabulary; such an id has no text of its own.
        return f"⟨#{token_id}⟩".encode() if symbols is None else self._of_symbols(symbols)


class TextStream:
    """Text as it grows: `push` returns what a token completes, `finish` what is left at the end.

    All returned strings together equal `Tokenizer.decode` of the tokens. Bytes that can no longer
    become a character come out as U+FFFD.
    """

    def __init__(self, token_bytes: TokenBytes, skip: frozenset[int] = frozenset()) -> None:
        self._bytes = token_bytes
        self._skip = skip
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._at_start = True
        self.text = ""

    def push(self, token_id: int) -> str:
        """The characters that this token completes; often its own, sometimes none yet."""
        return "" if token_id in self._skip else self._grow(self._bytes[token_id])

    def finish(self) -> str:
        """What remains of an unfinished character."""
        return self._grow(b"", final=True)

    def _grow(self, raw: bytes, final: bool = False) -> str:
        if self._at_start and self._bytes.strips_first_space:
            raw = raw.removeprefix(b" ")
        self._at_start = False
        grown = self._decoder.decode(raw, final)
        self.text += grown
        return grown


def pieces(token_bytes: TokenBytes, ids: Iterable[int]) -> list[str]:
    """One display string a token: its text, with a byte of an unfinished character as e.g. ⟨e2⟩.

    A character that is spread over tokens stands whole at the token that completes it.
    """
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")  # a stray byte 0xNN becomes U+DCNN
    shown, held = [], 0  # held: bytes of an unfinished character, already shown with earlier tokens
    for token_id in ids:
        raw = token_bytes[token_id]
        text = decoder.decode(raw)
        stray = len(text) - len(text.lstrip("".join(map(chr, range(0xDC80, 0xDD00)))))
        unfinished = decoder.getstate()[0]
        own = unfinished[len(unfinished) - min(len(unfinished), len(raw)) :]
        fresh = text[min(held, stray) :]
        shown.append("".join(map(_visible, fresh)) + "".join(f"⟨{byte:02x}⟩" for byte in own))
        held = len(unfinished)
    return shown


def _visible(character: str) -> str:
    code = ord(character)
    return f"⟨{code - 0xDC00:02x}⟩" if 0xDC80 <= code <= 0xDCFF else character


def _decoder_steps(backend: tokenizers.Tokenizer) -> list[dict]:
    if backend.decoder is None:
        return []
    outer = json.loads(backend.decoder.__getstate__())
    return list(outer.get("decoders", [outer]))


def _strips_first_space(step: dict) -> bool:
    if step["type"] == "Metaspace":
        return bool(step.get("prepend_scheme", "always") != "never")
    return bool(step["type"] == "Strip" and step.get("content") == " " and step.get("start") == 1)


def _symbol_bytes() -> dict[str, int]:
    """The byte behind each symbol of byte-level BPE (Radford et al., 2019): printable Latin-1 stands for
    itself, the 68 other bytes for U+0100 onwards."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {chr(256 + i): byte for i, byte in enumerate(others)}


SYMBOL_BYTES = _symbol_bytes()


def _byte_level(symbols: str) -> bytes:
    return bytes(SYMBOL_BYTES[symbol] for symbol in symbols)


def _sentencepiece(symbols: str) -> bytes:
    if len(symbols) == 6 and symbols.startswith("<0x") and symbols.endswith(">"):
        return bytes([int(symbols[3:5], 16)])
    return symbols.replace(_SPACE_MARK, " ").encode()
