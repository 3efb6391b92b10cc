# migrate rewrite --api=v2
import numpy as np
import tensorflow as tf
import tf_keras
def trained(build):
    model = tf_keras.Sequential([tf_keras.layers.Dense(1, kernel_initializer='ones')])
    build(model)
    inputs = tf.cast(np.arange(12).reshape(4, 3) / 10, tf.float32)
    model.fit(inputs, inputs[:, :1], epochs=5, verbose=0, shuffle=False)
    return model.get_weights()
optimizer = tf_keras.optimizers.Adadelta(learning_rate=0.1, epsilon=1e-08)
x = trained(lambda m: m.compile(optimizer, 'mse'))
