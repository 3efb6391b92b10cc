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
def export():
    inputs = {'a': tf.zeros([1, 2]), 'b': tf.TensorSpec([1])}
    return porting.export(job, 'export', tf_estimator.export.build_raw_serving_input_receiver_fn(inputs))
x = served(export(), a=tf.constant([[1.0, 2.0]]), b=tf.constant([2.0]))
