"""Program that trains ports with Keras 3, from converted weights.

    KERAS_BACKEND=jax python -m tests.migrate.checkpoint.four_kinds.keras3 FOLDER KIND ...

Loads FOLDER/KIND.weights.h5 and trains a step on each batch of FOLDER/KIND.pickle but the last one.
Prints the losses, and that of an evaluation with the last one, by kind, in JSON.
"""

import importlib
import json
import os
import pathlib
import pickle
import sys

import tensorflow as tf

from modern.process import chosen_keras


def losses_of(kind, folder, weights=None, **defects):
    """Returns the losses of a port after a checkpoint, and one of an evaluation.

    Args:
      kind: A key of `settings.KINDS`.
      folder: Folder with the batches and weights of the kind.
      weights: Path of other weights.
      **defects: Arguments of the port's `build_model`.
    """
    port = importlib.import_module(f"tests.migrate.checkpoint.four_kinds.{kind}")
    model = port.build_model(**defects)
    model.optimizer.build(model.trainable_variables)
    model.load_weights(weights or os.path.join(folder, f"{kind}.weights.h5"))
    losses = []
    *batches, last = port.pipeline(dataset_of(kind, folder)).as_numpy_iterator()
    for x, y in batches:
        model.reset_metrics()
        losses.append(float(model.train_on_batch(x, y)))
    model.reset_metrics()
    return [*losses, float(model.test_on_batch(*last))]


def dataset_of(kind, folder):
    batches = pickle.loads(pathlib.Path(folder, f"{kind}.pickle").read_bytes())
    spec = tf.nest.map_structure(
        lambda array: tf.TensorSpec([None] * array.ndim, tf.as_dtype(array.dtype)), batches[0]
    )
    return tf.data.Dataset.from_generator(lambda: iter(batches), output_signature=spec)


if __name__ == "__main__":
    chosen_keras.choose(3, backend=os.environ["KERAS_BACKEND"])
    root, *kinds = sys.argv[1:]
    print(json.dumps({kind: losses_of(kind, root) for kind in kinds}))
