"""contrib.summary, contrib.predictor and contrib.tensorboard."""

import os

import numpy as np
from google.protobuf import text_format

from tests.oracle import facts
from tests.oracle.programs import contrib_learn_estimator as plain

APIS = ("contrib",)


def events(tf, folder):
    found = []
    for name in sorted(os.listdir(folder)):
        for event in tf.train.summary_iterator(os.path.join(folder, name)):
            for value in event.summary.value:
                found.append([event.step, value.tag, value.WhichOneof("value")])
    return sorted(found)


def summaries(tf, folder):
    summary = tf.contrib.summary
    with tf.Graph().as_default(), tf.Session() as session:
        step = tf.train.get_or_create_global_step()
        writer = summary.create_file_writer(folder, flush_millis=1000)
        image = tf.zeros([1, 2, 2, 3])
        with writer.as_default():
            summary.scalar("never", 1.0)
            with summary.always_record_summaries():
                summary.scalar("loss", step * 2)
                summary.scalar("loss", 1.0, family="f", step=tf.constant(7, tf.int64))
                with tf.name_scope("inner"):
                    summary.scalar("loss", 3.0)
                summary.histogram("h", tf.constant([1.0, 2.0]))
                summary.image("i", image)
                summary.audio("a", tf.zeros([1, 4, 1]), 8, 1)
                summary.generic("g", tf.constant([1.0, 2.0]))
            with summary.record_summaries_every_n_global_steps(2):
                summary.scalar("second", 5.0)
            with summary.never_record_summaries():
                summary.scalar("no", 5.0)
            flush = summary.flush()
        session.run(tf.global_variables_initializer())
        with writer.as_default():
            summary.initialize(session=session)
        for _ in range(3):
            session.run(summary.all_summary_ops())
            session.run(tf.assign_add(step, 1))
        session.run(flush)
        count = len(summary.all_summary_ops())
    return {"events": events(tf, folder), "scalars": facts.scalars(folder), "operations~": count}


def predictors(tf, folder):
    spec = {"x": tf.FixedLenFeature([2], tf.float32)}
    learn = tf.contrib.learn
    old = plain.make(tf, os.path.join(folder, "old"))
    old.fit(input_fn=plain.make_input_fn(tf), steps=1)
    facts.fix_weights(old.model_dir)
    serving = learn.build_parsing_serving_input_fn(spec)
    path = old.export_savedmodel(os.path.join(folder, "export"), serving).decode()

    def raw():
        x = tf.placeholder(tf.float32, [None, 2], name="raw")
        return learn.InputFnOps({"x": x}, None, {"x": x})

    feature = {"x": tf.train.Feature(float_list=tf.train.FloatList(value=[1.0, 2.0]))}
    example = tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()
    predictor = tf.contrib.predictor
    loaded = predictor.from_saved_model(path)
    contrib = predictor.from_contrib_estimator(old, raw)
    named = predictor.from_saved_model(
        path, input_names={"in": "input_example_tensor:0"}, output_names={"out": "MatMul:0"}
    )
    core = core_estimator(tf, os.path.join(folder, "core"))

    def receiver_fn():
        x = tf.placeholder(tf.float32, [None, 2])
        return tf.estimator.export.ServingInputReceiver({"x": x}, {"x": x})

    of_core = predictor.from_estimator(core, receiver_fn)
    found = {
        "loaded": facts.plain(loaded({"examples": [example]})),
        "named": facts.plain(named({"in": [example]})),
        "contrib": facts.plain(contrib({"x": [[1.0, 2.0]]})),
        "core": facts.plain(of_core({"x": [[1.0, 2.0]]})),
        "feeds": [sorted(each.feed_tensors) for each in (loaded, named, contrib, of_core)],
        "fetches": [sorted(each.fetch_tensors) for each in (loaded, named, contrib, of_core)],
    }
    found["errors"] = [
        facts.error(loaded, {"other": 1})[0],
        facts.error(predictor.from_saved_model, path, input_names={})[0],
        facts.error(predictor.from_saved_model, path, "a", signature_def=1)[0],
        facts.error(predictor.from_estimator, old, receiver_fn)[0],
        facts.error(predictor.from_contrib_estimator, core, receiver_fn)[0],
        facts.error(predictor.from_estimator, core, receiver_fn, output_key="no")[0],
    ]
    return found


def core_estimator(tf, folder):
    def model_fn(features, labels, mode):
        weight = tf.get_variable("weight", [2], initializer=tf.ones_initializer())
        y = tf.reduce_sum(features["x"] * weight, 1)
        if mode == "infer":
            return tf.estimator.EstimatorSpec(mode, predictions={"y": y})
        loss = tf.reduce_sum(y - labels)
        step = tf.train.get_global_step()
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=tf.assign_add(step, 1))

    def input_fn():
        return {"x": tf.ones([2, 2])}, tf.ones([2])

    estimator = tf.estimator.Estimator(model_fn, folder)
    estimator.train(input_fn, steps=1)
    return estimator


def projector(tf, folder):
    plugin = tf.contrib.tensorboard.plugins.projector
    config = plugin.ProjectorConfig()
    embedding = config.embeddings.add()
    embedding.tensor_name = "words:0"
    embedding.metadata_path = 'some "file".tsv'
    embedding.sprite.image_path = "s.png"
    embedding.sprite.single_image_dim.extend([28, 14])
    config.embeddings.add().tensor_name = "other"
    with tf.Graph().as_default():
        plugin.visualize_embeddings(tf.summary.FileWriter(folder), config)
    with open(os.path.join(folder, "projector_config.pbtxt")) as file:
        written = file.read()
    # Programs add to what an earlier run has written.
    config = text_format.Merge(written, plugin.ProjectorConfig())
    config.embeddings.add(tensor_shape=[3, 2], tensor_path="v.tsv", bookmarks_path="b.json")
    config.model_checkpoint_path = "m"
    config.model_checkpoint_dir = "d"
    return {"written": written, "bytes": config.SerializeToString().hex()}


def run(tf, folder):
    np.random.seed(0)
    return {
        "summaries": summaries(tf, os.path.join(folder, "a")),
        "predictors": predictors(tf, os.path.join(folder, "b")),
        "projector": projector(tf, os.path.join(folder, "c")),
    }
