"""What is asked of a decoder: a prompt, a length, a way of drawing, and when it arrives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lab.decode.sampling import GREEDY, Sampling
from lab.errors import LabError
from lab.models.config import ModelConfig


@dataclass(frozen=True)
class Request:
    """One sequence to decode.

    `arrives` is the step from which it may join the batch (continuous batching). `follow`
    forces the committed tokens (teacher forcing): the run still records its own choices.
    `seed` feeds this request's own stream of uniforms, so its draws do not depend on its
    neighbours.
    """

    id: str
    prompt: tuple[int, ...]
    max_new_tokens: int
    sampling: Sampling = GREEDY
    seed: int = 0
    stop: tuple[str, ...] = ()
    ignore_eos: bool = False
    arrives: int = 0
    follow: tuple[int, ...] = ()


def check_requests(requests: Sequence[Request], config: ModelConfig, model: str, least: int = 0) -> None:
    """Refuse, before anything runs, what cannot be decoded. Raises LabError naming the request.

    `least`: new tokens that an experiment needs of each, to compare something.
    """
    names = [request.id for request in requests]
    if not names:
        raise LabError("There is no request.", "Give at least one prompt.")
    if len(set(names)) != len(names):
        raise LabError("Two requests have the same id.", "Give every request an id of its own.")
    for request in requests:
        _check(request, config, model, least)


def _check(request: Request, config: ModelConfig, model: str, least: int) -> None:
    total = len(request.prompt) + request.max_new_tokens
    sampling = request.sampling
    named = (*request.prompt, *request.follow, *sampling.banned, *(token for token, _ in sampling.logit_bias))
    outside = [token for token in named if not 0 <= token < config.vocab_size]
    if not request.prompt:
        raise LabError(f"The prompt of request {request.id!r} is empty.", "Write at least one word.")
    if request.max_new_tokens < least:
        raise LabError(
            f"Request {request.id!r} asks for {request.max_new_tokens} new tokens.",
            f"Ask for {least} or more.",
        )
    if total > config.max_context:
        raise LabError(
            f"Request {request.id!r} needs {len(request.prompt)} prompt tokens and {request.max_new_tokens} "
            f"new ones; the context of {model} is {config.max_context}.",
            "Shorten the prompt or ask for fewer tokens.",
        )
    if outside:
        raise LabError(
            f"Request {request.id!r} has token {outside[0]}, outside the vocabulary of {config.vocab_size}.",
            "Use token ids of this model's own tokenizer.",
        )
    if len(set(sampling.banned)) == config.vocab_size:
        raise LabError(f"Request {request.id!r} bans every token.", "Leave at least one that may be chosen.")
    if request.follow and len(request.follow) < request.max_new_tokens:
        raise LabError(
            f"Request {request.id!r} follows {len(request.follow)} tokens "
            f"but asks for {request.max_new_tokens}.",
            "Give one token to follow for each new token.",
        )
    if "" in request.stop:
        raise LabError(
            f"Request {request.id!r} has an empty stop string.", "Give text to stop at, or no stop string."
        )
    if request.seed < 0:
        raise LabError(f"Request {request.id!r} has seed {request.seed}.", "Give a number of 0 or more.")
    if request.arrives < 0:
        raise LabError(f"Request {request.id!r} arrives at step {request.arrives}.", "Use step 0 or later.")
