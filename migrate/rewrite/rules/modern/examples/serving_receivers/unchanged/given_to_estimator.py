from legacy import estimator as tf_estimator
from modern import porting
import tensorflow as tf
import tf_keras
def serving_fn():
    """A float, and a string that says what to add."""
    a = tf.compat.v1.placeholder(dtype=tf.float32, shape=[None, 1])  # the float
    tensors = {'value': a, 'more': tf.compat.v1.placeholder(tf.string, [None])}
    features = {'a': a[:, 0] + tf.strings.to_number(tensors['more'])}
    return tf_estimator.export.ServingInputReceiver(features, tensors)
def f(job):
    return job.export_saved_model('export', serving_fn)
x = callable(f)
