"""Resumes a training with tf.train.Checkpoint, which saves objects instead of names."""

import tempfile

import numpy as np
import tensorflow as tf
import tf_keras

STEPS, LEARNING_RATE = 5, 0.05


def make_data():
    random = np.random.RandomState(0)
    x = random.normal(size=(32, 3)).astype(np.float32)
    return x, (x @ [[1.0], [-2.0], [0.5]]).astype(np.float32)


def input_fn():
    return tf.data.Dataset.from_tensor_slices(make_data()).repeat().batch(8)


def build_model():
    model = tf_keras.Sequential([tf_keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile(optimizer=tf_keras.optimizers.SGD(LEARNING_RATE, 0.9), loss="mse")
    model.build([None, 3])
    return model


def train(folder, last_step):
    model = build_model()
    checkpoint = tf.train.Checkpoint(model=model, optimizer=model.optimizer)
    manager = tf.train.CheckpointManager(
        checkpoint, folder, max_to_keep=5, step_counter=model.optimizer.iterations
    )
    model.optimizer.build(model.trainable_variables)
    if manager.latest_checkpoint:
        checkpoint.restore(manager.latest_checkpoint).assert_consumed()
    steps = last_step - int(model.optimizer.iterations.numpy())
    model.fit(input_fn(), steps_per_epoch=steps, verbose=0)
    manager.save(checkpoint_number=model.optimizer.iterations)
    return model


def read(folder):
    reader = tf.train.load_checkpoint(tf.train.latest_checkpoint(folder))
    value, kernel = "/.ATTRIBUTES/VARIABLE_VALUE", "model/layer_with_weights-0/kernel"
    momentum = reader.get_tensor("optimizer/_variables/1" + value)
    return {
        "global_step": int(reader.get_tensor("optimizer/_iterations" + value)),
        "kernel": reader.get_tensor(kernel + value).ravel().tolist(),
        # Keras' momentum contains the negative learning rate. The slot of
        # tf.train.MomentumOptimizer does not.
        "momentum": (momentum.ravel() / -LEARNING_RATE).tolist(),
    }


def main(folder):
    train(folder, STEPS)
    first = read(folder)
    model = train(folder, 2 * STEPS)  # resumes with slots and step from the checkpoint
    second = read(folder)
    loss = model.evaluate(input_fn(), steps=4, verbose=0)
    return {"first": list(first.values()), "second": list(second.values()), "loss": float(loss)}


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
