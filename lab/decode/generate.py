"""Plain decoding as plain values: a trace's header can repeat it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from lab import traces
from lab.decode.batching import decode
from lab.decode.requests import Request, check_requests
from lab.decode.sampling import GREEDY, Sampling
from lab.decode.settings import LaneSettings
from lab.models.loaded import LoadedModel
from lab.models.tokenizer import Tokenizer
from lab.records import Failure, TokenRecord
from lab.traces import RunInfo

FP32_LANE = LaneSettings(lane="fp32")


@dataclass(frozen=True)
class GenerateSettings:
    """`seed` is the first prompt's; each next prompt has the next number. `raw`: no chat template."""

    prompts: tuple[str, ...]
    max_new_tokens: int = 64
    max_batch: int | None = None
    sampling: Sampling = GREEDY
    seed: int = 0
    stop: tuple[str, ...] = ()
    raw: bool = False
    arithmetic: LaneSettings = FP32_LANE

    def requests(self, tokenizer: Tokenizer) -> list[Request]:
        """Raises LabError for text without tokens."""
        encode = tokenizer.encode if self.raw else tokenizer.encode_chat
        return [
            Request(
                f"prompt {i}",
                tuple(encode(text)),
                self.max_new_tokens,
                self.sampling,
                self.seed + i,
                self.stop,
            )
            for i, text in enumerate(self.prompts)
        ]

    def as_json(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


def start_generate(
    settings: GenerateSettings, load: Callable[[], LoadedModel]
) -> tuple[RunInfo, Iterator[TokenRecord | Failure]]:
    """The header and the records of this run, made here and now as the records are asked for.

    The lane is made before the model is loaded, so that a wrong setting is refused at once. Raises LabError.
    """
    lane = settings.arithmetic.make()
    loaded = load()
    model, tokenizer = loaded.transformer, loaded.tokenizer
    requests = settings.requests(tokenizer)
    check_requests(requests, model.config, loaded.name, least=1)
    info = traces.run_info("decode", loaded.name, lane.name, str(model.device), settings.as_json())
    steps = decode(model, requests, lane, tokenizer, settings.max_batch)
    return info, (record for step in steps for record in step.records)
