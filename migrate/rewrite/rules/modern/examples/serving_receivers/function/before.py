# migrate rewrite --api=v2
from legacy import estimator as tf_estimator
from modern import porting
import tensorflow as tf
import tf_keras
class Double(tf_keras.Model):
    def call(self, features):
        return {'out': 2 * features['a']}
def served(path, **request):
    return tf.saved_model.load(path.decode()).signatures['serving_default'](**request)
job = Double()
def serving_fn():
    """A float, and a string that says what to add."""
    a = tf.compat.v1.placeholder(dtype=tf.float32, shape=[None, 1])  # the float
    tensors = {'value': a, 'more': tf.compat.v1.placeholder(tf.string, [None])}
    features = {'a': a[:, 0] + tf.strings.to_number(tensors['more'])}
    return tf_estimator.export.ServingInputReceiver(features, tensors)
path = porting.export(job, 'export', serving_fn)
x = served(path, value=tf.constant([[1.5], [2.0]]), more=tf.constant(['1', '2']))
