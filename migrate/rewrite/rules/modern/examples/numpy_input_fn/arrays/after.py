import numpy as np
import tensorflow.compat.v1 as tf
data, labels = np.arange(6.0).reshape(3, 2), np.arange(3)
def batches(input_fn):
    with tf.Graph().as_default():
        found = input_fn()
        if isinstance(found, tf.data.Dataset):
            found = tf.data.make_one_shot_iterator(found).get_next()
        result = []
        with tf.train.MonitoredSession() as session:
            while not session.should_stop():
                result.append(session.run(found))
    return result
x = batches(lambda: tf.data.Dataset.from_tensor_slices(({'a': data}, labels)).repeat(3).batch(2))
y = batches(lambda: tf.data.Dataset.from_tensor_slices(data).batch(128))
