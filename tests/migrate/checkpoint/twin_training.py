"""A program that trains the Estimator of `twin` in a process of its own, with tf_keras.

    python -m tests.migrate.checkpoint.twin_training STEPS FOLDER ...

Prints the losses of an evaluation after STEPS further steps in each folder, as a list in JSON.
"""

import json
import os
import sys

os.environ["TF_USE_LEGACY_KERAS"] = "1"  # A test of Keras 3 has chosen the other one.

import tf_keras

from tests.migrate.checkpoint import twin

if __name__ == "__main__":
    tf_keras.utils.set_random_seed(1)  # Layers take their seeds from Python.
    losses = []
    for folder in sys.argv[2:]:
        trained = twin.train(folder, int(sys.argv[1]), twin.adam)
        losses.append(float(trained.evaluate(twin.input_fn, steps=1)["loss"]))
    print(json.dumps(losses))
