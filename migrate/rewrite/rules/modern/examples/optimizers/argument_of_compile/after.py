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
x = trained(lambda m: m.compile(tf_keras.optimizers.Adam(learning_rate=0.1, beta_1=0.8, epsilon=1e-08), 'mse'))
y = trained(lambda m: m.compile(optimizer=tf_keras.optimizers.Adagrad(learning_rate=0.1, initial_accumulator_value=0.1, epsilon=0.0), loss='mse'))
z = trained(lambda m: m.compile(tf_keras.optimizers.SGD(learning_rate=0.1, momentum=0.9, nesterov=False), 'mse'))
