"""Tests of output names, static values and sizes."""

import pytest
import tensorflow as tf

from legacy.contrib.layers import utils

tf1 = tf.compat.v1


@pytest.mark.usefixtures("session")
def test_outputs_have_aliases():
    first, second, plain = (tf.constant(i, name=name) for i, name in enumerate("abc"))
    utils.collect_named_outputs("points", "net/a/", first)
    utils.append_tensor_alias(utils.collect_named_outputs("points", "net/b", second), "last")
    utils.collect_named_outputs(None, "net/c", plain)
    assert utils.gather_tensors_aliases([first, second, plain]) == ["net/a", "net/b", "last", "c"]
    found = utils.convert_collection_to_dict("points", clear_collection=True)
    assert found == {"net/a": first, "net/b": second, "last": second}
    assert tf1.get_collection("points") == []


def test_a_condition_is_decided_while_the_graph_is_built_if_it_can_be(session):
    fed = tf1.placeholder_with_default(True, [])
    assert utils.smart_cond(tf.constant(False), lambda: 1, lambda: 2) == 2
    assert session.run(utils.smart_cond(fed, lambda: tf.constant(1), lambda: tf.constant(2))) == 1
    assert utils.constant_value(fed) is None
    with pytest.raises(ValueError, match="wrong type"):
        utils.constant_value(tf.constant(1), tf.float32)
    with pytest.raises(TypeError, match="fn2 must be callable"):
        utils.static_cond(True, lambda: 1, 2)


def test_sizes():
    assert utils.two_element_tuple(3) == utils.two_element_tuple([3, 3]) == (3, 3)
    assert utils.n_positive_integers(3, 2) == (2, 2, 2)
    assert utils.channel_dimension(tf.TensorShape([1, 2, 3]), "channels_first") == 2
    assert utils.last_dimension(tf.TensorShape([None, 2, 3])) == 3
    for wrong, message in (
        (lambda: utils.two_element_tuple([1, 2, 3]), "list with 2 elements"),
        (lambda: utils.n_positive_integers(2, [1, 0]), "expected positive integer"),
        (lambda: utils.n_positive_integers(2, [1]), "sequence of 2 positive integers"),
        (lambda: utils.last_dimension(tf.TensorShape([2, None])), "must be known"),
        (lambda: utils.last_dimension(tf.TensorShape([2]), min_rank=2), "at least 2 not: 1"),
    ):
        with pytest.raises(ValueError, match=message):
            wrong()
