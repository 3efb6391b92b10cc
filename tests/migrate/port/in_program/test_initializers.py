"""Tests that the initializers of Keras draw the numbers of those of TensorFlow 1."""

import json

import pytest

from tests.migrate.port.in_program import started

# Two layers have each initializer, because the second one must not continue the first.
PROGRAM = """
import json
import numpy as np
import tensorflow as tf
import KERAS as keras

tf1, initializers = tf.compat.v1, keras.initializers
PAIRS = [
    (tf1.glorot_uniform_initializer(), initializers.GlorotUniform()),
    (tf1.glorot_normal_initializer(), initializers.GlorotNormal()),
    (tf1.random_normal_initializer(0.5, 0.1), initializers.RandomNormal(0.5, 0.1)),
    (tf1.random_uniform_initializer(-2.0, 3.0), initializers.RandomUniform(-2.0, 3.0)),
    (tf1.truncated_normal_initializer(0.0, 0.2), initializers.TruncatedNormal(0.0, 0.2)),
    (tf1.truncated_normal_initializer(0.0, 0.2, 7), initializers.TruncatedNormal(0.0, 0.2, 7)),
    (tf1.orthogonal_initializer(), initializers.Orthogonal()),
]
results = []
for old, new in PAIRS:
    with tf.Graph().as_default(), tf1.Session() as session:
        variable = tf1.get_variable("v", [4, 3], initializer=old)
        session.run(variable.initializer)
        ours = session.run(variable)
    copies = [type(new).from_config(new.get_config()) for _ in range(2)]
    layers = [keras.layers.Dense(3, kernel_initializer=copy) for copy in copies]
    for layer in layers:
        layer.build([None, 4])
    function = tf.function(lambda: new([4, 3]))
    values = [*(layer.kernel.numpy() for layer in layers), function().numpy()]
    results.append([float(np.max(np.abs(value - ours))) for value in values])
print(json.dumps(results))
"""


@pytest.mark.parametrize("keras", ["tf_keras", "keras"])
def test_keras_and_tensorflow_1_begin_with_the_same_numbers(tmp_path, keras):
    done = started.run(tmp_path, PROGRAM.replace("KERAS", keras))
    assert done.returncode == 0, done.stderr
    results = json.loads(done.stdout.splitlines()[-1])
    assert len(results) == 7
    assert max(max(result) for result in results) < 1e-6, results
