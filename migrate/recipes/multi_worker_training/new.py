"""Trains on workers in Keras: `python new.py MODEL_DIR` on each, with its own TF_CONFIG."""

import os
import sys

import numpy as np
import tensorflow as tf
import tf_keras

STEPS, BATCH_SIZE = 10, 4  # BATCH_SIZE is per worker


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(32, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def input_fn(context):
    workers, index = context.num_input_pipelines, context.input_pipeline_id
    dataset = tf.data.Dataset.from_tensor_slices(make_data()).shard(workers, index)
    return dataset.repeat().batch(BATCH_SIZE)


def build_model():
    model = tf_keras.Sequential([tf_keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile(optimizer=tf_keras.optimizers.SGD(0.05), loss="mse")
    return model


def is_first(resolver):
    if resolver is None or not resolver.task_type:
        return True  # without TF_CONFIG, the only worker
    leader = "chief" if "chief" in resolver.cluster_spec().jobs else "worker"
    return (resolver.task_type, resolver.task_id) == (leader, 0)


def save(model, folder, strategy):
    """Saves on all workers, which averages some values. Keeps the first worker's checkpoint."""
    first = is_first(strategy.cluster_resolver)
    own = folder if first else f"{folder}-of-worker-{strategy.cluster_resolver.task_id}"
    checkpoint = tf.train.Checkpoint(model=model, optimizer=model.optimizer)
    checkpoint.save(os.path.join(own, "ckpt"))
    if not first:
        tf.io.gfile.rmtree(own)


def main(folder):
    strategy = tf.distribute.MultiWorkerMirroredStrategy()  # must come before other operations
    with strategy.scope():
        model = build_model()
    dataset = strategy.distribute_datasets_from_function(input_fn)
    model.fit(dataset, steps_per_epoch=STEPS, verbose=0)
    save(model, folder, strategy)
    return {
        "global_step": int(model.optimizer.iterations.numpy()),
        "kernel": model.layers[0].kernel.numpy().ravel().tolist(),
        "bias": model.layers[0].bias.numpy().ravel().tolist(),
    }


if __name__ == "__main__":
    print(main(sys.argv[1]))
