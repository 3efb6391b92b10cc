from legacy import estimator as tf_estimator
import tensorflow as tf
v1 = tf.compat.v1
def input_fn():
    data = tf.data.Dataset.from_tensor_slices(({'a': [[1.], [2.], [3.]]}, [2., 3., 5.]))
    return data.batch(2).repeat(3)
from models import model_fn
job = tf_estimator.Estimator(model_fn, params={'units': 2})
job.train(input_fn)
x = 1
