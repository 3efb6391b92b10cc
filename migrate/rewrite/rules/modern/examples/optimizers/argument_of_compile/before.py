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
t = tf.compat.v1.train
x = trained(lambda m: m.compile(t.AdamOptimizer(0.1, beta1=0.8), 'mse'))
y = trained(lambda m: m.compile(optimizer=t.AdagradOptimizer(0.1), loss='mse'))
z = trained(lambda m: m.compile(t.MomentumOptimizer(
    0.1, 0.9, use_nesterov=False), 'mse'))
