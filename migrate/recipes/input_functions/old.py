"""Input functions over arrays and data frames, and the queues that preceded them."""

import tempfile

import numpy as np
import pandas as pd
import tensorflow as tf

EXAMPLES, BATCH_SIZE, EPOCHS = 10, 4, 2


def make_data():
    x = np.arange(EXAMPLES, dtype=np.float32)
    return x, 10 * x


def numpy_input_fn():
    x, y = make_data()
    return tf.estimator.inputs.numpy_input_fn(
        {"x": x}, y, BATCH_SIZE, num_epochs=EPOCHS, shuffle=False
    )


def pandas_input_fn():
    x, y = make_data()
    frame = pd.DataFrame({"x": x, "twice": 2 * x})
    return tf.estimator.inputs.pandas_input_fn(
        frame, pd.Series(y), BATCH_SIZE, num_epochs=EPOCHS, shuffle=False
    )


def queue_input_fn():
    x, y = make_data()
    example, label = tf.train.slice_input_producer([x, y], num_epochs=EPOCHS, shuffle=False)
    features, labels = tf.train.batch(
        [example, label], BATCH_SIZE, num_threads=1, allow_smaller_final_batch=True
    )
    return {"x": features}, labels


def batches(input_fn):
    with tf.Graph().as_default(), tf.Session() as session:
        features_and_labels = input_fn()
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        coordinator = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(session, coordinator)
        found = []
        try:
            while True:
                features, labels = session.run(features_and_labels)
                named = {name: value.tolist() for name, value in features.items()}
                found.append([named, labels.tolist()])
        except tf.errors.OutOfRangeError:
            pass
        coordinator.request_stop()
        coordinator.join(threads)
        return found


def main(folder):
    return {
        "numpy": batches(numpy_input_fn()),
        "pandas": batches(pandas_input_fn()),
        "queue": batches(queue_input_fn),
    }


if __name__ == "__main__":
    print(main(tempfile.mkdtemp()))
