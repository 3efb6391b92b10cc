from legacy.compat.v1 import estimator as tf_estimator
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
x = batches(tf_estimator.inputs.numpy_input_fn(
    {'a': data}, labels, batch_size=2, num_epochs=3, shuffle=False))
y = batches(tf_estimator.inputs.numpy_input_fn(x=data, shuffle=False))
