# migrate rewrite --unsafe
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
def make(shuffle):
    return lambda: tf.data.Dataset.from_tensor_slices((data, labels)).shuffle(1000 if shuffle else 1).repeat(2).batch(2)
x = batches(make(False))
y = sorted(int(y) for _, part in batches(make(True)) for y in part)
