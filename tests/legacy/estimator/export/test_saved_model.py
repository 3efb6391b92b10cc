"""Tests of SavedModels with one mode and with several."""

import pathlib

import pytest
import tensorflow as tf

from legacy import estimator
from legacy.compat.v1 import estimator as v1
from legacy.estimator.export import export_functions, saved_model, saved_model_graph
from tests.legacy.estimator import models

tf1 = tf.compat.v1


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    made = v1.Estimator(models.model_fn, str(tmp_path_factory.mktemp("model")))
    return made.train(models.dataset, steps=2)


def supervised_fn():
    tensor = tf.TensorSpec([None, 1])
    return estimator.experimental.build_raw_supervised_input_receiver_fn(tensor, tensor)()


RECEIVERS = {"train": supervised_fn, "eval": supervised_fn, "infer": models.receiver_fn}


def test_both_loaders_give_the_same_predictions(trained, tmp_path):
    path = trained.export_saved_model(str(tmp_path), models.receiver_fn)
    assert isinstance(path, bytes)
    path = path.decode()
    weight, bias = (float(trained.get_variable_value(name).item()) for name in "wb")
    with tf.Graph().as_default(), tf1.Session() as session:
        signature = tf1.saved_model.load(session, ["serve"], path).signature_def["serving_default"]
        feed = {signature.inputs["x"].name: [[2.0]]}
        old = session.run(signature.outputs["y"].name, feed)
    new = tf.saved_model.load(path).signatures["serving_default"](x=tf.constant([[2.0]]))["y"]
    assert old.item() == pytest.approx(2 * weight + bias)
    assert new.numpy().item() == pytest.approx(2 * weight + bias)


def test_all_modes_share_the_variables(trained, tmp_path):
    path = export_functions.export_all_saved_models(trained, str(tmp_path), RECEIVERS).decode()
    graphs = saved_model_graph.read(path)
    assert set(map(tuple, graphs)) == {("train",), ("eval",), ("serve",)}
    assert set(graphs[frozenset(["eval"])].signature_def["eval"].outputs) == {
        *("loss", "predictions/y", "metrics/mae/value", "metrics/mae/update_op")
    }
    names = {name for name, _ in tf.train.list_variables(f"{path}/variables/variables")}
    assert names == {"w", "b", "w/Momentum", "b/Momentum", "global_step"}
    with tf.Graph().as_default(), tf1.Session() as session:
        graph = tf1.saved_model.load(session, ["train"], path).signature_def["train"]
        assert set(graph.inputs) == {"input", "label"}
        (train_op,) = tf1.get_collection(saved_model.TRAIN_OP_KEY)
        feeds = {info.name: [[1.0]] for info in graph.inputs.values()}
        session.run(train_op, feeds)
        assert session.run(tf1.train.get_global_step()) == 3


def test_one_other_mode(trained, tmp_path):
    path = export_functions.export_saved_model_for_mode(
        trained, str(tmp_path), supervised_fn, mode="eval"
    )
    assert set(saved_model_graph.read(path)) == {frozenset(["eval"])}


def test_text_and_extra_files(trained, tmp_path):
    extra = tmp_path / "extra.txt"
    extra.write_text("more")
    path = trained.export_saved_model(
        str(tmp_path), models.receiver_fn, {"a/b.txt": str(extra)}, as_text=True
    )
    path = pathlib.Path(path.decode())
    assert (path / "assets.extra" / "a" / "b.txt").read_text() == "more"
    assert (path / "saved_model.pbtxt").exists()
    assert set(saved_model_graph.read(str(path))) == {frozenset(["serve"])}


@pytest.mark.parametrize("strip", [True, False])
def test_default_attributes(trained, tmp_path, strip):
    path = trained.export_savedmodel(
        str(tmp_path), models.receiver_fn, strip_default_attrs=strip
    ).decode()
    (graph,) = saved_model_graph.read(path).values()
    nodes = {node.name: node for node in graph.graph_def.node}
    assert ("transpose_a" in nodes["MatMul"].attr) is not strip


def test_variables_that_the_checkpoint_lacks(trained, tmp_path):
    def model_fn(features, labels, mode):
        tf1.get_variable("only_here", [])
        return models.model_fn(features, labels, mode)

    other = estimator.Estimator(model_fn, trained.model_dir)
    with pytest.raises(ValueError, match=r"Could not load all requested variables[\w\W]*infer"):
        other.export_saved_model(str(tmp_path), models.receiver_fn)
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_exported(trained, tmp_path):
    new = estimator.Estimator(models.model_fn, str(tmp_path / "new"))
    for call, message in (
        (lambda: new.export_saved_model(str(tmp_path), models.receiver_fn), "find trained model"),
        (lambda: trained.export_saved_model(str(tmp_path), None), "must be defined"),
        (
            lambda: trained.experimental_export_all_saved_models(str(tmp_path), {}),
            "No valid modes for exporting found",
        ),
    ):
        with pytest.raises(ValueError, match=message):
            call()


def test_weights_to_start_from_can_be_exported(trained, tmp_path):
    warm = estimator.Estimator(
        models.model_fn, str(tmp_path / "warm"), warm_start_from=trained.model_dir
    )
    path = warm.export_saved_model(str(tmp_path), models.receiver_fn).decode()
    value = tf.train.load_variable(f"{path}/variables/variables", "w")
    assert value == trained.get_variable_value("w")


def test_a_checkpoint_of_objects(tmp_path):
    def model_fn(features, labels, mode):
        weight = tf1.get_variable("weight", [], initializer=tf1.zeros_initializer())
        tf1.get_variable("unsaved", [], initializer=tf1.zeros_initializer())
        step = tf1.train.get_global_step()
        saver = tf.train.Checkpoint(my_weight=weight, my_step=step)
        return estimator.EstimatorSpec(
            mode,
            predictions=features * weight,
            loss=weight + 0.0,
            train_op=tf.group(step.assign_add(1), weight.assign_add(2.0)),
            scaffold=tf1.train.Scaffold(saver=saver),
        )

    made = estimator.Estimator(model_fn, str(tmp_path / "model")).train(models.dataset, steps=3)
    path = made.export_saved_model(str(tmp_path), models.receiver_fn).decode()
    serve = tf.saved_model.load(path).signatures["serving_default"]
    assert serve(x=tf.constant([[2.0]]))["output"].numpy().item() == 12.0


def test_the_next_free_second_names_the_folder(tmp_path, monkeypatch):
    class Clock:
        now = 1500000000.5

        def time(self):
            return self.now

        def sleep(self, seconds):
            self.now += seconds

    monkeypatch.setattr(saved_model, "time", Clock())
    (tmp_path / "1500000000").mkdir()
    (tmp_path / "temp-1500000001").mkdir()
    path = saved_model.get_timestamped_export_dir(str(tmp_path)).decode()
    assert path == str(tmp_path / "1500000002")
    assert saved_model.get_temp_export_dir(path).decode() == str(tmp_path / "temp-1500000002")
    for second in range(1500000002, 1500000020):
        (tmp_path / str(second)).mkdir()
    with pytest.raises(RuntimeError, match="unique export directory name .* 10 attempts"):
        saved_model.get_timestamped_export_dir(tmp_path.as_posix().encode())
