import tensorflow as tf
from modern.optimizers import chosen
import tf_keras as keras
optimizer = chosen.ByLayer(
    {"wide": chosen.Ftrl(0.1), "deep": chosen.Adagrad(0.1)}
)
layers = [keras.layers.Dense(1, kernel_initializer="ones", name=name) for name in ("wide", "deep")]
inputs = keras.Input([2])
model = keras.Model(inputs, keras.layers.add([layer(inputs) for layer in layers]))
model.compile(optimizer, "mse", jit_compile=False)
model.fit(tf.ones([4, 2]), tf.zeros([4, 1]), verbose=0)
x = [layer.kernel.numpy() for layer in layers]
