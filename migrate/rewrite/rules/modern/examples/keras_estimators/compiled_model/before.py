# migrate rewrite --unsafe --api=v2
from legacy.estimator.keras import keras_model
import tensorflow as tf
import tf_keras
layer = tf_keras.layers.Dense(1, kernel_initializer='ones', name='out')
model = tf_keras.Sequential([tf_keras.Input([1], name='a'), layer])
model.compile(tf_keras.optimizers.legacy.SGD(0.01), 'mse', ['mae'])
def input_fn():
    values = {'a': [[1.], [2.], [3.]]}, [[2.], [3.], [5.]]
    return tf.data.Dataset.from_tensor_slices(values).batch(2)
job = keras_model.model_to_estimator_v2(model, model_dir='model')
job.train(input_fn)
x = job.evaluate(input_fn)
y = [one['out'] for one in job.predict(input_fn)]
