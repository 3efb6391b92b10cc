"""The documented jobs as they are written today: Keras and tf.distribute.

    python -m modern.train --flagfile=modern/jobs/mnist_cnn.flags

Importing the package checks that TensorFlow and tf_keras belong together (`modern.versions`).
"""

from modern import versions

versions.check_installed()
