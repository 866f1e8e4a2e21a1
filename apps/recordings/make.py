"""Record the traces that pages show at once: real runs on this machine, one file an experiment.

python -m apps.recordings.make
"""

from apps.recordings import FOLDER
from lab import traces
from lab.decode.neighbours import compare
from lab.decode.prompts import PROMPTS
from lab.decode.settings import NeighbourSettings
from lab.models.loaded import load_model
from lab.traces import PairRecord


def main() -> None:
    loaded = load_model(device="cpu")
    for name, prompt in PROMPTS.items():
        settings = NeighbourSettings(prompt=prompt)
        lane = settings.arithmetic.make()
        info = traces.run_info("neighbours", loaded.name, lane.name, "cpu", settings.as_json())
        records = compare(loaded.transformer, settings.experiment(loaded.tokenizer), lane, loaded.tokenizer)
        path = FOLDER / f"neighbours-{name}.jsonl"
        traces.write(path, info, (record for record in records if isinstance(record, PairRecord)))
        print(path)


if __name__ == "__main__":
    main()
