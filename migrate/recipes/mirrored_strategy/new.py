"""Trains a Keras model, created in the strategy's scope. All replicas share each batch."""

import tempfile

import numpy as np
import tensorflow as tf
import tf_keras

STEPS, BATCH_SIZE = 10, 4
DEVICES = ["/device:CPU:0", "/device:CPU:1"]


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(32, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def input_fn(replicas):
    return tf.data.Dataset.from_tensor_slices(make_data()).repeat().batch(BATCH_SIZE * replicas)


def eval_input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).batch(16)


def build_model():
    model = tf_keras.Sequential([tf_keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile(optimizer=tf_keras.optimizers.SGD(0.05), loss="mse")
    return model


def make_two_cpus():
    """Splits the CPU in two before TensorFlow uses it. GPUs need no such step."""
    cpu = tf.config.list_physical_devices("CPU")[0]
    two = [tf.config.LogicalDeviceConfiguration()] * 2
    tf.config.set_logical_device_configuration(cpu, two)


def main(folder):
    make_two_cpus()
    strategy = tf.distribute.MirroredStrategy(DEVICES)
    with strategy.scope():
        model = build_model()
    replicas = strategy.num_replicas_in_sync
    model.fit(input_fn(replicas), steps_per_epoch=STEPS, verbose=0)
    loss = model.evaluate(eval_input_fn(), verbose=0)
    return {
        "replicas": replicas,
        "global_step": int(model.optimizer.iterations.numpy()),
        "loss": float(loss),
        "kernel": model.layers[0].kernel.numpy().ravel().tolist(),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
