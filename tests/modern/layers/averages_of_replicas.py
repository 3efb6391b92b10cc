"""A program that normalizes other batches on each of two replicas, with the Keras of its argument.

Prints the moving mean as JSON: as it is read, and that of each replica. With a second argument, the
layer works as with a Keras before 3.10. Then the error of a layer that is built late follows.
"""

import json
import sys

from modern.process import chosen_keras, quiet_import


def main():
    chosen_keras.choose(int(sys.argv[1]))
    quiet_import.import_tensorflow()
    import tensorflow as tf

    from modern.layers import normalization

    (cpu,) = tf.config.list_physical_devices("CPU")
    tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
    strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])

    class Block(chosen_keras.load().layers.Layer):
        """A layer without a `build`, for which Keras 3 creates the variables at its end."""

        def __init__(self, layer):
            super().__init__()
            self.norm = layer

        def call(self, x, training=False):
            return self.norm(x, training=training)

    error = None
    with strategy.scope():
        layer = normalization.BatchNormalization()
        if len(sys.argv) > 2:
            normalization._VARIABLES_SYNCHRONIZE = False
            try:
                Block(normalization.BatchNormalization())(chosen_keras.load().Input((2, 2, 1)))
            except ValueError as refusal:
                error = str(refusal)
            layer.build([1, 2, 2, 1])
        block = Block(layer)
        block(tf.ones([1, 2, 2, 1]))

    @tf.function
    def step():
        def normalize():
            number = tf.distribute.get_replica_context().replica_id_in_sync_group
            batch = tf.ones([3, 2, 2, 1]) * tf.cast(number + 1, tf.float32)
            return block(batch, training=True)

        return strategy.run(normalize)

    step()
    average = chosen_keras.tf_variable(layer.moving_mean)
    own = strategy.experimental_local_results(average)
    means = {"read": float(average[0]), "replicas": [float(one[0]) for one in own]}
    print(json.dumps({**means, "error": error}))


if __name__ == "__main__":
    main()
