# migrate rewrite --api=v2
from modern import porting
import tensorflow as tf
import tf_keras
class Double(tf_keras.Model):
    def call(self, features):
        return {'out': 2 * features['a']}
def served(path, **request):
    return tf.saved_model.load(path.decode()).signatures['serving_default'](**request)
job = Double()
@tf.function(
    input_signature=[
        tf.TensorSpec([None, 1], tf.float32, name='value'),
        tf.TensorSpec([None], tf.string, name='more'),
    ]
)
def serving_fn(a, more):
    """A float, and a string that says what to add."""
    # the float
    tensors = {'value': a, 'more': more}
    features = {'a': a[:, 0] + tf.strings.to_number(tensors['more'])}
    return features
path = porting.export(job, 'export', serving_fn)
x = served(path, value=tf.constant([[1.5], [2.0]]), more=tf.constant(['1', '2']))
