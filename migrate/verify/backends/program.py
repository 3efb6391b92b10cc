"""The program of the other process: computes the values of a port with JAX or torch.

    python -m migrate.verify.backends.program FOLDER

FOLDER/asked.pickle has the port, the weights and the batches. The values are written to
FOLDER/values.pickle. If the port fails, the last line of standard error has the reason.
"""

from __future__ import annotations

import os
import pathlib
import pickle
import sys
import traceback

from modern.process import chosen_keras, cli, references

ASKED, VALUES = "asked.pickle", "values.pickle"


def main(folder: str) -> int:
    """Computes the values, and returns the exit code."""
    asked = pickle.loads(pathlib.Path(folder, ASKED).read_bytes())
    chosen_keras.choose(3, backend=asked["backend"])
    sys.path.insert(0, os.getcwd())
    try:
        from migrate.verify.backends import recording, side

        build_model = references.find_function(asked["modern"], "--modern")
        port = side.Side(build_model, references.parameters(asked["params"], "--params"))
        inputs = recording.Inputs(*asked["inputs"])
        port.build(inputs.batches[0])
        values = recording.record(port, inputs)
    # Any error of the user's model is the answer.
    except Exception as error:
        traceback.print_exc()
        lines = str(error).strip().splitlines() or [""]
        print(f"{type(error).__name__}: {' '.join(line.strip() for line in lines[:3])}",
              file=sys.stderr)  # fmt: skip
        return cli.MISUSE
    pathlib.Path(folder, VALUES).write_bytes(pickle.dumps(values))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
