from legacy import estimator as tf_estimator
from modern import porting
import tensorflow as tf
import tf_keras
def serving_fn(names):
    tensors = {name: tf.compat.v1.placeholder(tf.float32, [None]) for name in names}
    return tf_estimator.export.ServingInputReceiver(tensors, tensors)
def f(job):
    return porting.export(job, 'export', lambda: serving_fn(['a']))
x = callable(f)
