# migrate rewrite --unsafe
import tensorflow as tf
import tf_keras as keras
layers = [
    keras.layers.Dense(1, name="tower_" + ("dense_%d" % number), kernel_initializer="ones")
    for number in range(2)
]
layers.append(keras.layers.Dense(1, name=f"head_{len(layers)}", kernel_initializer="ones"))
x = [layer(tf.ones([1, 2])).numpy() for layer in layers]
