"""Both lanes at every step: what a gate at any threshold would have flagged, confirmed, repaired or missed.

The reference lane decodes each prompt; the fast lane, in one batch, follows its tokens. A gate that misses
nothing keeps a run on these tokens, so the record serves every τ: a flip with a margin of at most τ is
caught, and at the first one with a larger margin the run would leave them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from torch import Tensor

from lab.decode.batching import Batch
from lab.decode.margingate.columns import column_change
from lab.decode.margingate.strategies import Reference, check_verifier
from lab.decode.requests import Request
from lab.models.tokenizer import Tokenizer
from lab.models.transformer import Transformer
from lab.numerics.lanes import Lane
from lab.records import Failure, PairRecord, TokenRecord

Watched = PairRecord | TokenRecord | Failure


def watch(
    model: Transformer,
    requests: Sequence[Request],
    fast: Lane,
    reference: Reference,
    tokenizer: Tokenizer | None = None,
) -> Iterator[Watched]:
    """First the reference lane's TokenRecords, step by step; then a PairRecord for each step of each request.

    `alone` is the reference lane, `beside` the fast lane in a batch of all requests. `kv_change` compares the
    columns that the two lanes wrote at a step. Raises LabError for requests that cannot be decoded.
    """
    check_verifier(reference)
    first = Batch(model, requests, reference.steps, tokenizer, prompt_lane=reference.prompts)
    seen: dict[str, list[tuple[TokenRecord, Tensor]]] = {request.id: [] for request in requests}
    rows = {request.id: at for at, request in enumerate(requests)}
    while first.admit():
        step = first.step()
        for record in step.records:
            yield record
            if isinstance(record, TokenRecord):
                seen[record.request].append((record, step.logits[record.request]))
        ended = {r.request for r in step.records if isinstance(r, Failure) or r.finish}
        # Not `leave`: the rows of ended requests keep their K and V, to compare with.
        first.running = [sequence for sequence in first.running if sequence.id not in ended]
    led = [
        replace(request, follow=tuple(record.token for record, _ in own), max_new_tokens=len(own))
        for request, own in zip(requests, seen.values(), strict=True)
        if own
    ]
    if not led:
        return
    second = Batch(model, led, fast, tokenizer)
    while second.admit():
        step = second.step()
        at = {sequence.id: sequence.row for sequence in second.running}
        for record in step.records:
            if isinstance(record, Failure):
                yield record
                continue
            base, logits = seen[record.request][record.index]
            delta = float((step.logits[record.request] - logits).abs().max())
            row, own = at[record.request], rows[record.request]
            position = second.cache.lengths[row] - 1
            span = slice(position, position + 1)
            change = column_change(second.cache, first.cache, row, own, span, fast.round)[0]
            yield PairRecord(len(led), record.index, base, record, delta, change)
        second.leave({r.request for r in step.records if isinstance(r, Failure) or r.finish})
