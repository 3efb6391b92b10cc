"""Tests of the names that tf.layers gave."""

import pytest

from modern.porting.layer_names import LayerNames

pytestmark = pytest.mark.keras(2, 3)


def test_a_number_that_a_program_has_chosen_is_not_taken_twice():
    names = LayerNames()
    assert [names(name) for name in ("dense", "dense_1", "dense", "dense_1")] == [
        "dense",
        "dense_1",
        "dense_2",
        "dense_1_1",
    ]


@pytest.mark.keras(3)
def test_names_of_keras_3_have_no_slashes():
    names = LayerNames("nets/tower")
    assert [names("conv"), names("block/conv"), names.inside("a/b")("conv")] == [
        "nets_tower_conv",
        "nets_tower_block_conv",
        "nets_tower_a_b_conv",
    ]


@pytest.mark.keras(2)  # Names of Keras 3 have no slashes.
def test_two_scopes_of_one_name_share_their_numbers():
    names = LayerNames()
    first, second = names.inside("tower"), names.inside("tower")
    inner = first.inside("head")
    assert [first("conv"), second("conv"), inner("conv"), names("conv")] == [
        "tower/conv",
        "tower/conv_1",
        "tower/head/conv",
        "conv",
    ]
