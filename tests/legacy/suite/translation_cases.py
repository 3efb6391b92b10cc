# ruff: noqa
# Written as a suite of its time, for Python 2 and 3. It passes on TensorFlow 1.15.5.
"""Tests of a registry of problems and models, in the style of a library for sequence models."""

from __future__ import absolute_import
from __future__ import division
from __future__ import print_function

import collections
import os

from absl.testing import parameterized
import numpy as np
import six
import tensorflow as tf
from tensorflow.contrib import training as contrib_training
from tensorflow.contrib.eager.python import tfe
from tensorflow.python.framework import function
from tensorflow.python.ops import inplace_ops
from tensorflow.python.ops import rnn_cell_impl
from tensorflow.python.training import moving_averages
from tensorflow.python.util import nest
from tensorflow.python.util import tf_inspect as inspect

_REGISTRY = {}


def register(name):
    def decorator(cls):
        _REGISTRY[name] = cls
        return cls

    return decorator


class Problem(object):
    """A problem that makes examples."""

    def example_reading_spec(self):
        fields = {"inputs": tf.VarLenFeature(tf.int64), "targets": tf.VarLenFeature(tf.int64)}
        return fields, None

    def decode(self, serialized):
        fields, _ = self.example_reading_spec()
        decoder = tf.contrib.slim.tfexample_decoder.TFExampleDecoder(
            fields, {name: tf.contrib.slim.tfexample_decoder.Tensor(name) for name in fields}
        )
        names = sorted(fields)
        return dict(zip(names, decoder.decode(serialized, items=names)))


def hparams(overrides=""):
    hp = contrib_training.HParams(
        hidden_size=8,
        filter_sizes=[16, 8],
        dropout=0.1,
        use_bias=True,
        name="base",
        learning_rate=0.1,
    )
    hp.parse(overrides)
    return hp


@register("basic")
class BasicModel(tf.layers.Layer):
    """An embedding, a dense layer, and logits."""

    def __init__(self, hp, mode, vocab_size=11, **kwargs):
        super(BasicModel, self).__init__(trainable=mode == tf.estimator.ModeKeys.TRAIN, **kwargs)
        self._hparams = hp
        self._mode = mode
        self._vocab_size = vocab_size

    def call(self, features):
        inputs = features["inputs"]
        embedding = tf.get_variable("embedding", [self._vocab_size, self._hparams.hidden_size])
        net = tf.gather(embedding, inputs)
        net = tf.layers.dense(net, self._hparams.filter_sizes[0], tf.nn.relu, name="ffn")
        net = tf.contrib.layers.layer_norm(net, begin_norm_axis=-1)
        return tf.layers.dense(
            net, self._vocab_size, use_bias=self._hparams.use_bias, name="logits"
        )

    @staticmethod
    def make_estimator_model_fn(name, hp):
        def wrapping_model_fn(features, labels, mode, params=None, config=None):
            del params
            logits = _REGISTRY[name](hp, mode)(features)
            if mode == tf.estimator.ModeKeys.PREDICT:
                return tf.estimator.EstimatorSpec(
                    mode, predictions={"outputs": tf.argmax(logits, -1)}
                )
            loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
            if mode == tf.estimator.ModeKeys.EVAL:
                metrics = {"accuracy": tf.metrics.accuracy(labels, tf.argmax(logits, -1))}
                return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops=metrics)
            train_op = tf.contrib.layers.optimize_loss(
                loss,
                tf.train.get_global_step(),
                hp.learning_rate,
                "Adam",
                clip_gradients=1.0,
                summaries=["loss", "learning_rate"],
            )
            assert config is not None
            return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)

        return wrapping_model_fn


def input_fn():
    inputs = np.arange(24).reshape([6, 4]) % 11
    return tf.data.Dataset.from_tensor_slices(({"inputs": inputs}, inputs)).repeat().batch(3)


class HParamsTest(tf.test.TestCase):
    def testParse(self):
        hp = hparams("hidden_size=4,filter_sizes=[3,2],name=new")
        self.assertEqual((4, [3, 2], "new"), (hp.hidden_size, hp.filter_sizes, hp.name))
        with self.assertRaises(ValueError):
            hp.parse("no_such=3")
        self.assertIn("dropout", hp.values())
        self.assertEqual(hp.to_json(), contrib_training.HParams(**hp.values()).to_json())

    def testSetType(self):
        hp = hparams()
        hp.set_hparam("learning_rate", 1)
        self.assertIsInstance(hp.learning_rate, float)
        with six.assertRaisesRegex(self, ValueError, "could not convert|Must|Could not"):
            hp.set_hparam("learning_rate", "much")

    def testAddAndDelete(self):
        hp = hparams()
        hp.add_hparam("extra", 3)
        self.assertEqual(3, hp.get("extra"))
        hp.del_hparam("extra")
        self.assertFalse("extra" in hp)
        self.assertItemsEqual(hparams().values(), hp.values())


class ProblemTest(tf.test.TestCase):
    def testDecode(self):
        example = tf.train.Example(
            features=tf.train.Features(
                feature={
                    "inputs": tf.train.Feature(int64_list=tf.train.Int64List(value=[3, 4])),
                    "targets": tf.train.Feature(int64_list=tf.train.Int64List(value=[5])),
                }
            )
        )
        with self.test_session() as session:
            decoded = Problem().decode(tf.constant(example.SerializeToString()))
            self.assertAllEqual([3, 4], session.run(decoded["inputs"]))
            self.assertAllEqual([5], decoded["targets"].eval())

    def testRecords(self):
        path = os.path.join(tf.test.get_temp_dir(), "records")
        with tf.python_io.TFRecordWriter(path) as writer:
            for i in range(3):
                writer.write(str(i).encode())
        self.assertLen(list(tf.python_io.tf_record_iterator(path)), 3)
        self.assertTrue(tf.gfile.Exists(path))
        dataset = tf.data.TFRecordDataset(path).apply(
            tf.contrib.data.map_and_batch(lambda x: tf.string_to_number(x), 3)
        )
        value = dataset.make_one_shot_iterator().get_next()
        self.assertAllClose([0.0, 1.0, 2.0], self.evaluate(value))

    def testBuckets(self):
        elements = tf.data.Dataset.from_generator(
            lambda: iter([[1], [2, 2], [3]]), tf.int32, [None]
        )
        bucketed = elements.apply(
            tf.data.experimental.bucket_by_sequence_length(tf.size, [2], [2, 2])
        )
        value = bucketed.make_one_shot_iterator().get_next()
        with self.cached_session() as session:
            self.assertAllEqual([[1], [3]], session.run(value))
            self.assertAllEqual([[2, 2]], session.run(value))
            with self.assertRaises(tf.errors.OutOfRangeError):
                session.run(value)


class ModelTest(parameterized.TestCase, tf.test.TestCase):
    @parameterized.named_parameters(("Bias", True, 6), ("NoBias", False, 5))
    def testVariables(self, use_bias, count):
        hp = hparams("use_bias={}".format(use_bias))
        with tf.Graph().as_default():
            with tf.variable_scope("body"):
                logits = BasicModel(hp, "train")({"inputs": tf.zeros([2, 3], tf.int32)})
            self.assertEqual([2, 3, 11], logits.shape.as_list())
            self.assertEqual(count + 1, len(tf.trainable_variables()))
            names = [v.op.name for v in tf.trainable_variables()]
            self.assertIn("body/basic_model/embedding", names)

    @parameterized.parameters(("train",), ("eval",), ("infer",))
    def testModes(self, mode):
        model_fn = BasicModel.make_estimator_model_fn("basic", hparams())
        with tf.Graph().as_default():
            tf.train.create_global_step()
            features = {"inputs": tf.ones([2, 4], tf.int32)}
            spec = model_fn(features, tf.ones([2, 4], tf.int64), mode, config=object())
            self.assertIsInstance(spec, tf.estimator.EstimatorSpec)
            self.assertEqual(mode, spec.mode)
            self.assertEqual(mode == "infer", spec.loss is None)

    def testEstimator(self):
        config = tf.contrib.learn.RunConfig(
            model_dir=os.path.join(self.get_temp_dir(), "m"),
            save_checkpoints_steps=2,
            keep_checkpoint_max=2,
        )
        estimator = tf.estimator.Estimator(
            BasicModel.make_estimator_model_fn("basic", hparams()), config=config
        )
        estimator.train(input_fn, steps=4)
        results = estimator.evaluate(input_fn, steps=2)
        self.assertEqual(4, results["global_step"])
        self.assertContainsSubset({"accuracy", "loss"}, results)
        self.assertEndsWith(estimator.latest_checkpoint(), "model.ckpt-4")
        names = estimator.get_variable_names()
        self.assertIn("basic_model/embedding", names)
        state = tf.train.get_checkpoint_state(config.model_dir)
        self.assertLen(state.all_model_checkpoint_paths, 2)

    def testExperiment(self):
        estimator = tf.estimator.Estimator(
            BasicModel.make_estimator_model_fn("basic", hparams()),
            config=tf.contrib.learn.RunConfig(model_dir=os.path.join(self.get_temp_dir(), "e")),
        )
        experiment = tf.contrib.learn.Experiment(
            estimator, input_fn, input_fn, train_steps=2, eval_steps=1
        )
        with tf.test.mock.patch.object(tf.estimator.Estimator, "train", autospec=True) as train:
            experiment.train()
        self.assertEqual(1, train.call_count)

    @tf.contrib.eager.run_test_in_graph_and_eager_modes()
    def testBothModes(self):
        x = tf.constant([[1.0, 2.0]])
        dense = tf.layers.Dense(2, kernel_initializer=tf.ones_initializer())
        y = dense(x)
        self.evaluate(tf.global_variables_initializer())
        self.assertAllClose([[3.0, 3.0]], self.evaluate(y))


class LayersTest(tf.test.TestCase):
    def testCells(self):
        self.assertIs(rnn_cell_impl.LSTMCell, tf.nn.rnn_cell.LSTMCell)
        self.assertIs(rnn_cell_impl.RNNCell, tf.contrib.rnn.RNNCell)
        cell = tf.contrib.rnn.MultiRNNCell([tf.contrib.rnn.BasicLSTMCell(3) for _ in range(2)])
        self.assertIsInstance(cell, rnn_cell_impl.RNNCell)
        outputs, state = tf.nn.dynamic_rnn(cell, tf.ones([2, 4, 5]), dtype=tf.float32)
        self.assertIsInstance(state[0], tf.contrib.rnn.LSTMStateTuple)
        with self.test_session():
            tf.global_variables_initializer().run()
            self.assertEqual((2, 4, 3), outputs.eval().shape)

    def testLikeRnnCell(self):
        with self.assertRaises(TypeError):
            rnn_cell_impl.assert_like_rnncell("cell", object())
        rnn_cell_impl.assert_like_rnncell("cell", tf.nn.rnn_cell.GRUCell(2))

    def testNest(self):
        Pair = collections.namedtuple("Pair", "a b")
        structure = Pair([1, 2], {"c": 3})
        self.assertEqual([1, 2, 3], nest.flatten(structure))
        self.assertTrue(nest.is_sequence(structure))
        self.assertEqual(Pair([2, 4], {"c": 6}), nest.map_structure(lambda x: 2 * x, structure))
        nest.assert_same_structure(structure, Pair([0, 0], {"c": 0}))

    def testInspect(self):
        def own(a, b=3, *args, **kwargs):
            del a, b, args, kwargs

        self.assertEqual(["a", "b"], inspect.getfullargspec(own).args)

    def testDefun(self):
        @function.Defun(tf.float32, func_name="twice_plus")
        def twice(x):
            return 2 * x + 1

        with self.test_session():
            self.assertAllClose(7.0, twice(tf.constant(3.0)).eval())

    def testInplace(self):
        with self.test_session():
            x = inplace_ops.alias_inplace_update(tf.zeros([3]), 1, tf.constant(2.0))
            self.assertAllClose([0.0, 2.0, 0.0], x.eval())

    def testMovingAverage(self):
        with self.test_session() as session:
            v = tf.get_variable("v", initializer=1.0)
            update = moving_averages.assign_moving_average(v, 0.0, 0.5, zero_debias=False)
            session.run(tf.global_variables_initializer())
            session.run(update)
            self.assertAllClose(0.5, v.eval())

    def testAttentionMask(self):
        with self.test_session():
            mask = tf.matrix_band_part(tf.ones([3, 3]), -1, 0)
            self.assertAllEqual(np.tril(np.ones([3, 3])), mask.eval())
            self.assertAllClose([[0.5, 0.5]], tf.contrib.layers.softmax(tf.zeros([1, 2])).eval())

    def testFloatDimensions(self):
        self.assertEqual([2, 3], tf.TensorShape([2.0, 3.0]).as_list())
        self.assertEqual(4, tf.zeros([4, 2]).shape[0].value)

    def testTfe(self):
        self.assertFalse(tfe.in_eager_mode() if hasattr(tfe, "in_eager_mode") else False)
        v = tf.get_variable("r", [], use_resource=True)
        self.assertIsInstance(v, tf.Variable)

    def testBeamSearch(self):
        cell = tf.nn.rnn_cell.GRUCell(4)
        embedding = tf.ones([5, 4])
        decoder = tf.contrib.seq2seq.BeamSearchDecoder(
            cell,
            embedding,
            tf.fill([2], 1),
            -1,
            tf.contrib.seq2seq.tile_batch(tf.zeros([2, 4]), 2),
            2,
            tf.layers.Dense(5),
        )
        outputs, _, _ = tf.contrib.seq2seq.dynamic_decode(decoder, maximum_iterations=3)
        with self.test_session() as session:
            session.run(tf.global_variables_initializer())
            self.assertEqual((2, 3, 2), session.run(outputs.predicted_ids).shape)


if __name__ == "__main__":
    tf.test.main()
