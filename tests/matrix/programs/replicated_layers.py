"""Trains batch normalization of Keras 3 on two replicas, and reads its moving averages.

    python replicated_layers.py FOLDER

FOLDER/averages.json gets the moving average of each replica's batches, and the one that is read.
"""

import json
import pathlib
import sys

from modern.process import chosen_keras, quiet_import

chosen_keras.choose(3)
quiet_import.import_tensorflow()

import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402

from modern.layers import normalization  # noqa: E402

MOMENTUM = 0.5


def main(folder):
    cpu = tf.config.list_physical_devices("CPU")[0]
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
    strategy = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
    images = np.random.RandomState(0).rand(2, 8, 4, 4, 3).astype("f")
    with strategy.scope():
        layer = normalization.BatchNormalization(momentum=MOMENTUM)
        layer.build(images[0].shape)
    batches = strategy.experimental_distribute_values_from_function(
        lambda context: tf.constant(images[context.replica_id_in_sync_group])
    )
    tf.function(lambda: strategy.run(lambda batch: layer(batch, training=True), [batches]))()
    averages = {
        "replicas": [((1 - MOMENTUM) * half.mean((0, 1, 2))).tolist() for half in images],
        "read": np.asarray(layer.moving_mean).tolist(),
    }
    pathlib.Path(folder, "averages.json").write_text(json.dumps(averages))


if __name__ == "__main__":
    main(sys.argv[1])
