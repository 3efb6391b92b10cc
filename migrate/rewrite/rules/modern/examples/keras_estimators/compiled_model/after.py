# migrate rewrite --unsafe --api=v2
import tensorflow as tf
from modern import porting
import tf_keras
layer = tf_keras.layers.Dense(1, kernel_initializer='ones', name='out')
model = tf_keras.Sequential([tf_keras.Input([1], name='a'), layer])
model.compile(tf_keras.optimizers.legacy.SGD(0.01), 'mse', ['mae'])
def input_fn():
    values = {'a': [[1.], [2.], [3.]]}, [[2.], [3.], [5.]]
    return tf.data.Dataset.from_tensor_slices(values).batch(2)
job = porting.from_keras(model)
porting.restore(job, 'model', save_secs=600)
job.fit(input_fn(), callbacks=porting.callbacks(job), verbose=2)
x = dict(job.evaluate(input_fn(), verbose=0, return_dict=True), global_step=int(job.optimizer.iterations.numpy()))
y = [one['out'] for one in porting.predict(job, input_fn())]
