"""Folders that transformers saves load bit for bit; broken ones are refused by file."""

import json
import shutil
from pathlib import Path

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

from lab.errors import LabError
from lab.models.config import Architecture
from lab.models.hub_folder import INDEX, WEIGHTS, load_folder, save_folder, weight_files
from lab.models.tiny import TURN_END, byte_tokenizer, tiny_checkpoint

FAMILIES = ["llama", "qwen2", "qwen3", "mistral"]


def transformers_folder(
    folder: Path, architecture: str, tied: bool, dtype: torch.dtype, shard: str = "5GB"
) -> transformers.PreTrainedModel:
    """A random model of transformers' own making, saved by transformers, with the byte tokenizer."""
    torch.manual_seed(5)
    config = transformers.AutoConfig.for_model(
        architecture,
        vocab_size=260,
        hidden_size=64,
        intermediate_size=96,
        num_hidden_layers=3,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=16,
        max_position_embeddings=256,
        tie_word_embeddings=tied,
        eos_token_id=TURN_END,
        bos_token_id=None,
    )
    model = transformers.AutoModelForCausalLM.from_config(config, dtype=dtype)
    model.save_pretrained(folder, max_shard_size=shard)
    (folder / "tokenizer.json").write_text(byte_tokenizer().backend.to_str())
    return model


@pytest.mark.parametrize("tied", [True, False], ids=["tied", "untied"])
@pytest.mark.parametrize("architecture", FAMILIES)
def test_a_sharded_folder_of_transformers_loads_bit_for_bit(
    architecture: str, tied: bool, tmp_path: Path
) -> None:
    dtype = torch.bfloat16 if tied else torch.float32
    model = transformers_folder(tmp_path, architecture, tied, dtype, shard="60KB")
    assert len(weight_files(tmp_path)) > 2
    read = load_folder(tmp_path)
    assert read.config.architecture == architecture
    assert read.config.tied_head == tied
    reference = model.state_dict()
    if tied:
        del reference["lm_head.weight"]
    assert read.tensors.keys() == reference.keys()
    for name, tensor in reference.items():
        assert read.tensors[name].dtype == dtype
        assert torch.equal(read.tensors[name], tensor), name


@pytest.mark.parametrize("architecture", FAMILIES)
def test_what_the_lab_saves_loads_in_transformers(architecture: Architecture, tmp_path: Path) -> None:
    ours = tiny_checkpoint(1, architecture, dtype=torch.bfloat16)
    save_folder(ours, tmp_path)
    model, report = transformers.AutoModelForCausalLM.from_pretrained(
        tmp_path, output_loading_info=True, dtype=torch.bfloat16
    )
    assert not any(report[key] for key in ("missing_keys", "unexpected_keys", "mismatched_keys"))
    for name, tensor in ours.tensors.items():
        assert torch.equal(model.state_dict()[name], tensor), name
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path)
    chat = [{"role": "user", "content": "é 🙂"}]
    ids = tokenizer.apply_chat_template(chat, add_generation_prompt=True, return_dict=False)
    assert ids == ours.tokenizer.encode_chat("é 🙂")
    assert tokenizer.eos_token_id == TURN_END


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A sound folder, to be broken."""
    save_folder(tiny_checkpoint(1), tmp_path)
    return tmp_path


def rewrite(file: Path, **changes: object) -> None:
    content = json.loads(file.read_text()) if file.exists() else {}
    merged = content | changes
    file.write_text(json.dumps({key: value for key, value in merged.items() if value is not None}))


def test_saved_and_read_back(folder: Path) -> None:
    ours, read = tiny_checkpoint(1), load_folder(folder)
    assert read.config == ours.config
    assert all(torch.equal(read.tensors[name], tensor) for name, tensor in ours.tensors.items())
    assert read.tokenizer.eos_ids == (TURN_END,)
    assert (read.name, read.source) == (folder.name, str(folder))
    assert load_folder(folder, "short", "somewhere").name == "short"


def test_end_tokens_of_both_configurations_count(folder: Path) -> None:
    rewrite(folder / "generation_config.json", eos_token_id=[TURN_END, 256])
    read = load_folder(folder)
    assert read.config.eos_ids == read.tokenizer.eos_ids == (TURN_END, 256)


def test_without_configured_end_tokens_the_tokenizers_own_counts(folder: Path) -> None:
    rewrite(folder / "config.json", eos_token_id=None)
    assert load_folder(folder).config.eos_ids == (TURN_END,)
    rewrite(folder / "tokenizer_config.json", eos_token={"content": "<|endoftext|>", "lstrip": False})
    assert load_folder(folder).config.eos_ids == (256,)
    rewrite(folder / "tokenizer_config.json", eos_token=None)
    assert load_folder(folder).config.eos_ids == ()


def test_chat_templates_wherever_they_lie(folder: Path) -> None:
    (folder / "chat_template.jinja").write_text("file {{ messages[0].content }}")
    rewrite(folder / "tokenizer_config.json", chat_template="setting {{ messages[0].content }}")

    def chat() -> str:
        tokenizer = load_folder(folder).tokenizer
        return tokenizer.decode(tokenizer.encode_chat("x"))

    assert chat() == "file x"
    (folder / "chat_template.jinja").unlink()
    assert chat() == "setting x"
    several = [
        {"name": "tool_use", "template": "tools"},
        {"name": "default", "template": "first {{ eos_token }}"},
    ]
    rewrite(folder / "tokenizer_config.json", chat_template=several)
    assert chat() == "first <|im_end|>"
    rewrite(folder / "tokenizer_config.json", chat_template=None)
    assert load_folder(folder).tokenizer.chat_template is None


def test_a_folder_that_is_not_there() -> None:
    with pytest.raises(LabError, match="There is no folder"):
        load_folder(Path("/nonexistent/model"))


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", WEIGHTS])
def test_an_absent_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(LabError, match=f"has no {name}"):
        load_folder(folder)


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "tokenizer_config.json", WEIGHTS])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.98])
def test_a_truncated_file_is_named(folder: Path, name: str, share: float) -> None:
    content = (folder / name).read_bytes()
    (folder / name).write_bytes(content[: int(share * len(content))])
    with pytest.raises(LabError, match=f"{name} cannot be read"):
        load_folder(folder)


@pytest.mark.parametrize("content", [b"[]", b"\xff\xfe\x00", b"null", b"{'single': 1}"])
def test_a_configuration_that_is_not_json_is_named(folder: Path, content: bytes) -> None:
    (folder / "config.json").write_bytes(content)
    with pytest.raises(LabError, match=r"config\.json cannot be read"):
        load_folder(folder)


def test_a_header_that_claims_too_much_is_named(folder: Path) -> None:
    content = bytearray((folder / WEIGHTS).read_bytes())
    content[0:8] = (2**62).to_bytes(8, "little")
    (folder / WEIGHTS).write_bytes(content)
    with pytest.raises(LabError, match=f"{WEIGHTS} cannot be read"):
        load_folder(folder)


def test_a_weight_that_is_not_a_number_is_named(folder: Path) -> None:
    tensors = load_file(folder / WEIGHTS)
    tensors["model.norm.weight"][3] = float("nan")
    save_file(tensors, folder / WEIGHTS)
    with pytest.raises(LabError, match=r"model\.norm\.weight .* NaN"):
        load_folder(folder)


@pytest.mark.parametrize(
    ("index", "named"),
    [
        ({}, "has no weight_map"),
        ({"weight_map": []}, "has no weight_map"),
        ({"weight_map": {"model.norm.weight": 7}}, "has no weight_map"),
        ({"weight_map": {"model.norm.weight": "model-00001-of-00002.safetensors"}}, "has no model-00001-of"),
        ({"weight_map": {"model.norm.weight": "../../secret.safetensors"}}, "outside the folder"),
        ({"weight_map": {"model.norm.weight": "/etc/passwd"}}, "outside the folder"),
    ],
)
def test_a_bad_index_is_named(folder: Path, index: dict, named: str) -> None:
    (folder / INDEX).write_text(json.dumps(index))
    with pytest.raises(LabError, match=named):
        load_folder(folder)


def test_a_missing_shard_is_named(tmp_path: Path) -> None:
    transformers_folder(tmp_path, "llama", False, torch.float32, shard="60KB")
    last = weight_files(tmp_path)[-1]
    last.unlink()
    with pytest.raises(LabError, match=last.name):
        load_folder(tmp_path)


def test_pickled_weights_are_not_read(folder: Path) -> None:
    shutil.move(folder / WEIGHTS, folder / "pytorch_model.bin")
    with pytest.raises(LabError, match="safetensors"):
        load_folder(folder)
