import numpy as np
import tensorflow as tf


def read(seed, count=60):
    random = np.random.RandomState(seed)
    amount = random.rand(count).astype(np.float32)
    source = random.choice(["web", "app", "shop", "fax"], count)
    label = ((amount > 0.4) & (source != "web")).astype(np.int32)
    return {"amount": amount, "source": source}, label


def input_fn(seed, num_epochs=None, batch_size=12):
    features, label = read(seed)
    dataset = tf.data.Dataset.from_tensor_slices((features, label))
    dataset = dataset.repeat(num_epochs).batch(batch_size)
    iterator = dataset.make_one_shot_iterator()
    return iterator.get_next()


def json_serving_input_fn():
    inputs = {
        "amount": tf.placeholder(shape=[None], dtype=tf.float32),
        "source": tf.placeholder(shape=[None], dtype=tf.string),
    }
    return tf.estimator.export.ServingInputReceiver(inputs, inputs)
