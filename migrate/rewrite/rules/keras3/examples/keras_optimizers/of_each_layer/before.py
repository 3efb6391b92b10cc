import tensorflow as tf
import tf_keras as keras
from modern.optimizers import combined
optimizer = combined.ByLayer(
    {"wide": keras.optimizers.legacy.Ftrl(0.1), "deep": keras.optimizers.legacy.Adagrad(0.1)}
)
layers = [keras.layers.Dense(1, kernel_initializer="ones", name=name) for name in ("wide", "deep")]
inputs = keras.Input([2])
model = keras.Model(inputs, keras.layers.add([layer(inputs) for layer in layers]))
model.compile(optimizer, "mse", jit_compile=False)
model.fit(tf.ones([4, 2]), tf.zeros([4, 1]), verbose=0)
x = [layer.kernel.numpy() for layer in layers]
