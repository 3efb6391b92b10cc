"""Tests that a training with recurrent cells goes on with layers of Keras, and back."""

import numpy as np
import pytest
import tensorflow as tf

from migrate import __main__ as migrate
from migrate.checkpoint import open_source
from migrate.checkpoint.cells import gates
from tests.migrate.checkpoint.cells import recurrent
from tests.migrate.checkpoint.cells.recurrent import UNITS, cells

train = tf.compat.v1.train
KINDS = {
    "LSTM": (lambda: cells.LSTMCell(UNITS), "lstm"),
    "basic LSTM": (lambda: cells.BasicLSTMCell(UNITS), "lstm"),
    "GRU": (lambda: cells.GRUCell(UNITS), "gru"),
    "RNN": (lambda: cells.BasicRNNCell(UNITS), "rnn"),
}
pytestmark = [
    pytest.mark.filterwarnings("ignore:.*(is deprecated|legacy):UserWarning"),
    pytest.mark.filterwarnings("ignore:.*is deprecated:DeprecationWarning"),
]


def convert(*arguments):
    return migrate.main(["checkpoint", "convert", *map(str, arguments)])


def model(name):
    return f"--model=tests.migrate.checkpoint.cells.recurrent:{name}"


@pytest.mark.parametrize("name", KINDS)
def test_training_goes_on_the_same_in_keras_and_back(name, tmp_path):
    make_cell, keras_name = KINDS[name]
    old, new, back = (str(tmp_path / part / "ckpt") for part in ("old", "new", "back"))
    recurrent.train_v1(make_cell, 3, old)
    assert convert(old, f"--output={new}", model(keras_name)) == 0
    expected = recurrent.train_v1(make_cell, 3, str(tmp_path / "further"), old)
    found = recurrent.train_keras(getattr(recurrent, keras_name), 3, f"{new}-6", new)
    np.testing.assert_allclose(found, expected, rtol=1e-5)
    # The old program continues where Keras has ended.
    assert convert(f"{new}-6", f"--output={back}", f"--like={old}") == 0
    further = recurrent.train_v1(make_cell, 3, str(tmp_path / "last"), back)
    more = recurrent.train_keras(getattr(recurrent, keras_name), 3, f"{new}-9", f"{new}-6")
    np.testing.assert_allclose(further, more, rtol=1e-5)


@pytest.fixture(scope="module")
def old_lstm(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("lstm") / "ckpt")
    recurrent.train_v1(lambda: cells.LSTMCell(UNITS), 3, path)
    return path


@pytest.mark.parametrize("kind", ["lstm", "gru"])
def test_a_wrong_order_of_gates_is_seen(kind, tmp_path, monkeypatch):
    """A planted defect: the gates in the order of tf.nn.rnn_cell."""
    make_cell = {"lstm": cells.LSTMCell, "gru": cells.GRUCell}[kind]
    old, new = str(tmp_path / "old"), str(tmp_path / "new")
    recurrent.train_v1(lambda: make_cell(UNITS), 1, old)
    wrong = {"lstm": "icfo", "gru": "rzh"}[kind]
    monkeypatch.setitem(gates.LAYOUTS, kind, gates.LAYOUTS[kind]._replace(keras=wrong))
    assert convert(old, f"--output={new}", model(kind)) == 0
    expected = recurrent.train_v1(lambda: make_cell(UNITS), 1, str(tmp_path / "further"), old)
    found = recurrent.train_keras(getattr(recurrent, kind), 1, f"{new}-2", new)
    assert abs(found[0] - expected[0]) > 1e-3 * expected[0]


def test_the_forget_bias_is_that_of_the_graph_or_of_the_flag(tmp_path, capsys):
    def make_cell():
        return cells.LSTMCell(UNITS, forget_bias=0.0)

    old = str(tmp_path / "old")
    recurrent.train_v1(make_cell, 3, old)
    expected = recurrent.train_v1(make_cell, 1, str(tmp_path / "further"), old)

    def is_same(*flags):
        new = str(tmp_path / "new")
        assert convert(old, f"--output={new}", model("lstm"), "--overwrite", *flags) == 0
        found = recurrent.train_keras(recurrent.lstm, 1, f"{new}-4", new)
        return np.allclose(found, expected, rtol=1e-5)

    assert is_same()
    assert "the forget_bias 0 in its bias (as in the graph)" in capsys.readouterr().err
    (tmp_path / "old.meta").unlink()
    assert not is_same()
    assert "--forget-bias if it was another" in capsys.readouterr().err
    assert is_same("--forget-bias=0")


def test_averages_get_the_forget_bias_and_slots_do_not(old_lstm, tmp_path):
    new = str(tmp_path / "new")
    convert(old_lstm, f"--output={new}", model("lstm"))
    with open_source(old_lstm) as old, open_source(new) as converted:
        by_name = {tensor.name: old.read(tensor) for tensor in old.stored}
        tensors = {tensor.name: tensor for tensor in converted.stored}
        bias = converted.read(tensors["recurrent/lstm_cell/bias"])
        slot = next(t for t in converted.stored if t.owner.endswith("bias") and t.slot == "m")
        m = converted.read(slot)
    i, c, f, o = np.split(by_name["rnn/lstm_cell/bias"], 4)
    np.testing.assert_array_equal(bias, np.concatenate([i, f + np.float32(1), c, o]))
    i, c, f, o = np.split(by_name["rnn/lstm_cell/bias/Adam"], 4)
    np.testing.assert_array_equal(m, np.concatenate([i, f, c, o]))


def test_the_map_shows_both_kernels(old_lstm, capsys):
    assert migrate.main(["checkpoint", "map", old_lstm, model("lstm")]) == 0
    lines = capsys.readouterr().out
    for part in ("kernel", "recurrent_kernel", "bias"):
        assert f"rnn/lstm_cell/{part} = recurrent/lstm_cell/{part}" in lines


def test_the_checkpoints_are_the_same_for_diff(old_lstm, tmp_path):
    new = str(tmp_path / "new")
    convert(old_lstm, f"--output={new}", model("lstm"))
    assert migrate.main(["checkpoint", "diff", old_lstm, new]) == 0
    assert migrate.main(["checkpoint", "diff", old_lstm, new, "--forget-bias=0"]) == 1


def test_a_scope_of_the_users_own_is_settled_in_a_map(tmp_path):
    old, new, given = str(tmp_path / "old"), str(tmp_path / "new"), tmp_path / "map.txt"

    def make_cell():
        return cells.LSTMCell(UNITS, name="memory")

    recurrent.train_v1(make_cell, 3, old)
    assert convert(old, f"--output={new}", model("lstm")) == 2
    given.write_text("rnn/memory/kernel = recurrent/lstm_cell/kernel\n")
    assert convert(old, f"--output={new}", model("lstm"), f"--map={given}") == 0
    expected = recurrent.train_v1(make_cell, 1, str(tmp_path / "further"), old)
    found = recurrent.train_keras(recurrent.lstm, 1, f"{new}-4", new)
    np.testing.assert_allclose(found, expected, rtol=1e-5)


REFUSED = {
    "peepholes": (
        lambda: cells.LSTMCell(UNITS, use_peepholes=True),
        "lstm",
        "rnn/lstm_cell has peepholes (w_f_diag, w_i_diag, w_o_diag), which keras.layers.LSTM does "
        "not have: write a layer of your own",
    ),
    "projection": (
        lambda: cells.LSTMCell(UNITS, num_proj=2),
        "lstm",
        "has a projection (projection/kernel), which keras.layers.LSTM does not have",
    ),
    "reset after": (
        lambda: cells.GRUCell(UNITS),
        "gru_with_reset_after",
        "has reset_after=True, the default, but the GRUCell of tf.nn.rnn_cell applies the reset "
        "gate before",
    ),
    "hard sigmoid": (
        lambda: cells.LSTMCell(UNITS),
        "lstm_with_hard_sigmoid",
        "has recurrent_activation='hard_sigmoid', but the gates of tf.nn.rnn_cell are sigmoids",
    ),
    "no bias": (
        lambda: cells.LSTMCell(UNITS),
        "lstm_without_bias",
        "has no bias, and LSTMCell always has one",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_keras_computes_otherwise_is_refused(name, tmp_path, capsys):
    make_cell, keras_name, message = REFUSED[name]
    old, new = str(tmp_path / "old"), tmp_path / "new"
    recurrent.train_v1(make_cell, 0, old)
    assert convert(old, f"--output={new}", model(keras_name)) == 2
    assert message in capsys.readouterr().err
    assert not (tmp_path / "new.index").exists()


def test_a_cell_that_is_left_out_is_not_refused(tmp_path):
    old = str(tmp_path / "old")
    recurrent.train_v1(lambda: cells.LSTMCell(UNITS, use_peepholes=True), 0, old)
    flags = ["--leave-out=rnn/*", "--keep=recurrent/*", "--weights-only"]
    assert convert(old, f"--output={tmp_path / 'new'}", model("lstm"), *flags) == 0


def test_the_state_of_ftrl_contains_the_bias(tmp_path, capsys):
    old = str(tmp_path / "old")
    ftrl = lambda: train.FtrlOptimizer(0.1)  # noqa: E731
    recurrent.train_v1(lambda: cells.LSTMCell(UNITS), 1, old, make_optimizer=ftrl)
    assert convert(old, f"--output={tmp_path / 'new'}", model("lstm")) == 2
    assert "the state of Ftrl contains the bias" in capsys.readouterr().err
    assert convert(old, f"--output={tmp_path / 'new'}", model("lstm"), "--weights-only") == 0


def test_a_layer_with_the_old_layout_is_left_alone(old_lstm, tmp_path):
    """Ported programs have such layers (`modern.porting.recurrent_layers`)."""
    copy = str(tmp_path / "copy")
    assert convert(old_lstm, f"--output={copy}", f"--like={old_lstm}") == 0
    assert migrate.main(["checkpoint", "diff", old_lstm, copy]) == 0
