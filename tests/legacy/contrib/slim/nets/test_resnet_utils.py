"""Tests of the building blocks of residual networks."""

import numpy as np
import pytest
import tensorflow as tf

from legacy.contrib import layers
from legacy.contrib.slim.nets import resnet_utils

tf1 = tf.compat.v1


def unit(net, depth, stride, rate):
    return layers.max_pool2d(net, 1, stride=stride, scope=f"of_{depth}_rate_{rate}")


BLOCKS = [resnet_utils.Block("a", unit, [{"depth": 1, "stride": 1}, {"depth": 1, "stride": 2}])] + [
    resnet_utils.Block("b", unit, [{"depth": 2, "stride": 2}, {"depth": 2, "stride": 1}])
]


@pytest.mark.parametrize(
    ("output_stride", "size", "rates"),
    [(None, 4, [1, 1, 1, 1]), (2, 8, [1, 1, 1, 2]), (1, 16, [1, 1, 2, 4])],
)
@pytest.mark.usefixtures("session")
def test_dilation_replaces_strides(output_stride, size, rates):
    net = resnet_utils.stack_blocks_dense(tf.zeros([1, 16, 16, 1]), BLOCKS, output_stride)
    assert net.shape[1] == size
    names = [op.name for op in tf1.get_default_graph().get_operations() if op.type == "MaxPool"]
    assert [int(name.split("rate_")[1].partition("/")[0]) for name in names] == rates


@pytest.mark.usefixtures("session")
def test_a_stride_that_cannot_be_reached():
    with pytest.raises(ValueError, match="The target output_stride cannot be reached"):
        resnet_utils.stack_blocks_dense(tf.zeros([1, 16, 16, 1]), BLOCKS, 8)


@pytest.mark.parametrize("size", [4, 5])
def test_strides_begin_at_the_first_pixel_for_all_sizes(session, size):
    image = np.arange(size * size, dtype="float32").reshape(1, size, size, 1)
    strided = resnet_utils.conv2d_same(tf.constant(image), 1, 3, stride=2, scope="conv")
    with tf1.variable_scope("", reuse=True):
        whole = resnet_utils.conv2d_same(tf.constant(image), 1, 3, stride=1, scope="conv")
    kept = resnet_utils.subsample(whole, 2)
    session.run(tf1.global_variables_initializer())
    found, expected = session.run([strided, kept])
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


def test_only_the_last_unit_of_a_block_has_a_stride():
    block = resnet_utils.units("block1", unit, base_depth=8, num_units=3, stride=2)
    assert [each["stride"] for each in block.args] == [1, 1, 2]
    assert {each["depth"] for each in block.args} == {32}
