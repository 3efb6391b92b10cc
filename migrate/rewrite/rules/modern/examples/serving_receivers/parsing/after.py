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
spec = {'a': tf.io.FixedLenFeature([], tf.float32, 1.5)}
parses = porting.parsing(spec, default_batch_size=1)
x = served(porting.export(job, 'export', parses), examples=tf.constant([b'']))
