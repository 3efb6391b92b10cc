"""Tests for pairing variables, and above all for the variables that must stay unpaired."""

import pytest

from migrate.checkpoint import Tensor, TensorMap, propose
from modern.process import cli

KERNEL = (8, 8)


def tensors(**shapes):
    return [Tensor(name.replace("__", "/"), shape, "float32") for name, shape in shapes.items()]


def named(*names, shape=KERNEL):
    return [Tensor(name, shape, "float32") for name in names]


def test_same_names_pair_and_nothing_is_left():
    side = tensors(dense__kernel=(4, 8), dense__bias=(8,), dense_1__kernel=KERNEL)
    found = propose(side, side)
    assert found.pairs == {t.name: t.name for t in side}
    assert found.complete


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("dense/kernel", "dense/kernel:0"),
        ("dense/kernel", "model/dense/kernel"),
        ("fully_connected/weights", "fully_connected/kernel:0"),
        ("bn/moving_variance", "bn/moving_var"),
        ("block1/conv/w", "net/block_1/conv/kernel"),
        ("layer_0/attention/self/query/kernel", "layer_0_attention_query/kernel:0"),
        ("input_layer/x_embedding/embedding_weights", "x_embedding/embeddings:0"),
        ("linear/linear_model/age_X_job/weights", "wide/age_X_job/embeddings:0"),
    ],
)
def test_names_are_told_apart_by_what_they_say_and_not_by_spelling(left, right):
    others = ("other/kernel", "another/kernel")
    found = propose(named(left, *others), named(*others, right))
    assert found.pairs[left] == right
    assert found.complete


def test_a_word_that_only_one_side_has_in_the_middle_does_not_count():
    left = named(*(f"net/layer_{i}/output/dense/kernel" for i in range(2)), "output_dense/kernel")
    right = named(*(f"layer_{i}/output/kernel" for i in range(2)), "output_dense/kernel")
    found = propose(left, right)
    assert found.pairs["net/layer_1/output/dense/kernel"] == "layer_1/output/kernel"
    assert found.complete


def test_two_of_one_shape_without_telling_names_are_asked_for():
    found = propose(named("a/kernel", "b/kernel"), named("x/kernel", "y/kernel"))
    assert found.pairs == {}
    assert found.ambiguous == {
        "a/kernel": ("x/kernel", "y/kernel"),
        "b/kernel": ("x/kernel", "y/kernel"),
    }
    assert not found.complete


@pytest.mark.parametrize(
    ("left", "right"),
    [
        # Keras goes on counting if the process made a layer before: dense_1 is not dense_1.
        (("dense/kernel", "dense_1/kernel"), ("dense_1/kernel", "dense_2/kernel")),
        (("a/dense/kernel", "a/dense_1/kernel"), ("b/dense_1/kernel", "b/dense_2/kernel")),
        # The additional layer may be the first or the last.
        (("dense/kernel", "dense_1/kernel"), ("dense/kernel", "dense_1/kernel", "dense_2/kernel")),
        (
            ("m/layer_1/x/dense/kernel", "m/layer_2/x/dense/kernel"),
            ("layer_2/dense/kernel", "layer_3/dense/kernel"),
        ),
        # The last parts are the same, but the scopes contradict them.
        (
            ("encoder/dense/kernel", "decoder/out/kernel"),
            ("decoder/dense/kernel", "encoder/out/kernel"),
        ),
        (
            ("encoder/dense/kernel", "decoder/dense/kernel"),
            ("enc/dense/kernel", "dec/dense/kernel"),
        ),
    ],
)
def test_nothing_is_paired_where_numbers_or_scopes_may_mean_something_else(left, right):
    found = propose(named(*left), named(*right))
    assert found.pairs == {}
    assert set(found.ambiguous) == set(left)


def test_numbers_that_agree_for_one_shape_do_not_count_when_others_of_the_family_disagree():
    left = tensors(dense__kernel=(4, 8), dense_1__kernel=KERNEL, dense_2__kernel=KERNEL)
    right = tensors(dense_1__kernel=KERNEL, dense_2__kernel=KERNEL, dense_3__kernel=(4, 8))
    found = propose(left, right)
    assert found.pairs == {"dense/kernel": "dense_3/kernel"}
    assert list(found.ambiguous) == ["dense_1/kernel", "dense_2/kernel"]


def test_numbers_that_a_person_chose_count_unless_they_are_shifted():
    found = propose(
        named("block1/kernel", "block2/kernel"), named("block2/kernel", "block3/kernel")
    )
    assert not found.pairs
    assert list(found.ambiguous) == ["block1/kernel", "block2/kernel"]
    more = propose(named("fc1/kernel"), named("fc1/kernel", "fc2/kernel"))
    assert more.pairs == {"fc1/kernel": "fc1/kernel"}


def test_a_layer_goes_together_once_one_of_its_variables_is_paired():
    left = tensors(a__kernel=(4, 8), a__bias=(8,), b__kernel=(6, 8), b__bias=(8,))
    right = tensors(y__kernel=(6, 8), y__bias=(8,), x__kernel=(4, 8), x__bias=(8,))
    assert propose(left, right).pairs == {
        "a/kernel": "x/kernel",
        "a/bias": "x/bias",
        "b/kernel": "y/kernel",
        "b/bias": "y/bias",
    }


def test_kinds_that_differ_are_not_paired_by_shape():
    left = tensors(bn__gamma=(8,), bn__moving_mean=(8,))
    right = tensors(norm__moving_mean=(8,), norm__gamma=(8,))
    assert propose(left, right).pairs == {
        "bn/gamma": "norm/gamma",
        "bn/moving_mean": "norm/moving_mean",
    }
    lost = propose(left[:1], right[:1])
    assert (lost.pairs, lost.only_left, lost.only_right) == (
        {},
        ("bn/gamma",),
        ("norm/moving_mean",),
    )


def test_same_name_of_another_shape_is_paired_for_others_to_refuse():
    found = propose(tensors(dense__kernel=(4, 8)), tensors(dense__kernel=(8, 4)))
    assert found.pairs == {"dense/kernel": "dense/kernel"}
    assert "NOT" in found.reasons["dense/kernel"]


def test_what_is_given_comes_first_and_narrows_the_rest():
    left, right = named("a/kernel", "b/kernel"), named("x/kernel", "y/kernel")
    found = propose(left, right, {"a/kernel": "y/kernel"})
    assert found.pairs == {"a/kernel": "y/kernel", "b/kernel": "x/kernel"}
    with pytest.raises(cli.UsageError, match="no variable z/kernel on the right"):
        propose(left, right, {"a/kernel": "z/kernel"})
    with pytest.raises(cli.UsageError, match="y/kernel is on the right twice"):
        propose(left, right, {"a/kernel": "y/kernel", "b/kernel": "y/kernel"})


def test_file_says_what_is_open_and_reads_back_what_a_person_settled(tmp_path):
    left = named("a/kernel", "b/kernel", "c/kernel")
    right = named("x/kernel", "y/kernel", "z/kernel")
    path = str(tmp_path / "map.txt")
    propose(left, right).write(path)
    text = (tmp_path / "map.txt").read_text()
    assert "a/kernel = ?" in text
    assert "one of: x/kernel | y/kernel | z/kernel" in text
    assert TensorMap.read(path).pairs == {}
    with pytest.raises(cli.UsageError, match="exists"):
        propose(left, right).write(path)
    edited = text.replace("a/kernel = ?", "a/kernel = y/kernel").replace(
        "b/kernel = ?", "b/kernel = -"
    )
    found = propose(left, right, TensorMap.parse(edited + "- = x/kernel\n"))
    assert found.pairs == {"a/kernel": "y/kernel", "c/kernel": "z/kernel"}
    assert (found.left_out, found.initialized, found.complete) == (
        ("b/kernel",),
        ("x/kernel",),
        True,
    )
    assert TensorMap.parse(found.text()).pairs == found.pairs


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# fine\na/kernel: b/kernel\n", "m.txt line 2: 'a/kernel: b/kernel' is not of the form"),
        ("a = x\nb = x\n", "m.txt line 2: x is on the right already, in m.txt line 1"),
        ("a = x\n\na = y\n", "m.txt line 3: a is on the left already"),
        ("- = -\n", "line 1: names no variable"),
    ],
)
def test_a_line_that_is_wrong_is_named(text, message):
    with pytest.raises(cli.UsageError, match=message.replace(".", r"\.")):
        TensorMap.parse(text, "m.txt")


def test_a_name_that_is_not_there_is_named_with_its_line_and_what_was_meant():
    with pytest.raises(
        cli.UsageError, match=r"m line 1: .* dens/kernel on the left; did you mean d"
    ):
        propose(
            named("dense/kernel"),
            named("dense/kernel"),
            TensorMap.parse("dens/kernel = dense/kernel", "m"),
        )
