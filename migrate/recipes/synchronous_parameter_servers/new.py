"""Synchronous workers in place of parameter servers: each adds a batch to every update.

With one worker, the two batches become one of twice the size.
"""

import tempfile

import numpy as np
import tensorflow as tf
import tf_keras

STEPS, BATCH_SIZE, TO_AGGREGATE, WORKERS = 5, 4, 2, 1
LEARNING_RATE = 0.05


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(32, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def input_fn(context):
    """Returns the batches that this worker adds to the updates."""
    batch_size = BATCH_SIZE * TO_AGGREGATE // WORKERS
    dataset = tf.data.Dataset.from_tensor_slices(make_data())
    dataset = dataset.shard(context.num_input_pipelines, context.input_pipeline_id)
    return dataset.repeat().batch(batch_size)


def build_model():
    model = tf_keras.Sequential([tf_keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile(optimizer=tf_keras.optimizers.SGD(LEARNING_RATE, 0.9), loss="mse")
    return model


def main(folder):
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    with strategy.scope():
        model = build_model()
    dataset = strategy.distribute_datasets_from_function(input_fn)
    model.fit(dataset, steps_per_epoch=STEPS, verbose=0)
    momentum = model.optimizer.variables[1].numpy() / -LEARNING_RATE  # Keras' contains the rate
    return {
        "updates": int(model.optimizer.iterations.numpy()),
        "kernel": model.layers[0].kernel.numpy().ravel().tolist(),
        "momentum": momentum.ravel().tolist(),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
