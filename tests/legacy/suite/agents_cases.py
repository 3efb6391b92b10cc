# ruff: noqa
# Written as a suite of its time, for Python 2 and 3. It passes on TensorFlow 1.15.5.
"""Tests of networks, slim models, hooks and savers, in the style of research libraries."""

from __future__ import absolute_import
from __future__ import division
from __future__ import print_function

import os
import unittest

from absl import flags
from absl.testing import flagsaver
from absl.testing import parameterized
import numpy as np
import tensorflow as tf
from tensorflow.contrib import framework as contrib_framework
from tensorflow.contrib import layers as contrib_layers
from tensorflow.contrib import slim
from tensorflow.contrib.framework.python.ops import variables as contrib_variables
from tensorflow.contrib.layers.python.layers import layers as layers_lib
from tensorflow.contrib.layers.python.layers import utils as layers_utils
from tensorflow.contrib.slim.python.slim import learning
from tensorflow.python.client import session as session_lib
from tensorflow.python.eager import context
from tensorflow.python.framework import constant_op
from tensorflow.python.framework import dtypes
from tensorflow.python.framework import errors_impl
from tensorflow.python.framework import tensor_shape
from tensorflow.python.framework import tensor_util
from tensorflow.python.framework import test_util
from tensorflow.python.layers import base as base_layers
from tensorflow.python.layers import core as core_layers
from tensorflow.python.ops import init_ops
from tensorflow.python.ops import state_ops
from tensorflow.python.ops import variables as variables_lib
from tensorflow.python.platform import test
from tensorflow.python.training import gradient_descent
from tensorflow.python.training import optimizer as optimizer_lib
from tensorflow.python.training import saver as saver_lib
from tensorflow.python.training.tracking import util as checkpointable_utils
from tensorflow.python.util import deprecation

FLAGS = flags.FLAGS
flags.DEFINE_integer("agents_test_steps", 3, "Steps.")


@slim.add_arg_scope
def residual_block(inputs, depth, stride=1, outputs_collections=None, scope=None):
    with tf.variable_scope(scope, "block", [inputs]) as scope_:
        net = slim.conv2d(inputs, depth, [3, 3], stride=stride, scope="conv1")
        shortcut = slim.conv2d(
            inputs, depth, [1, 1], stride=stride, activation_fn=None, scope="shortcut"
        )
        return layers_utils.collect_named_outputs(
            outputs_collections, scope_.name, tf.nn.relu(net + shortcut)
        )


def network(images, num_classes=5, is_training=True, scope="net"):
    with tf.variable_scope(scope, "net", [images]) as scope_:
        end_points_collection = scope_.original_name_scope + "_end_points"
        with slim.arg_scope(
            [slim.conv2d, residual_block], outputs_collections=end_points_collection
        ):
            with slim.arg_scope([slim.batch_norm], is_training=is_training):
                net = slim.conv2d(images, 4, [3, 3], normalizer_fn=slim.batch_norm, scope="root")
                net = slim.stack(net, residual_block, [(6, 2), (8, 2)], scope="blocks")
                net = tf.reduce_mean(net, [1, 2], keep_dims=True)
                net = slim.dropout(net, 0.5, is_training=is_training)
                logits = slim.conv2d(
                    net, num_classes, [1, 1], activation_fn=None, normalizer_fn=None, scope="logits"
                )
                end_points = slim.utils.convert_collection_to_dict(end_points_collection)
                end_points["predictions"] = slim.softmax(tf.squeeze(logits, [1, 2]))
                return tf.squeeze(logits, [1, 2]), end_points


def arg_scope(weight_decay=0.01):
    with slim.arg_scope(
        [slim.conv2d],
        weights_regularizer=slim.l2_regularizer(weight_decay),
        weights_initializer=slim.variance_scaling_initializer(),
        biases_initializer=tf.zeros_initializer(),
    ) as sc:
        return sc


class NetworkTest(tf.test.TestCase, parameterized.TestCase):
    @parameterized.parameters(16, 17)
    def testShapes(self, size):
        with tf.Graph().as_default():
            with slim.arg_scope(arg_scope()):
                logits, end_points = network(tf.zeros([2, size, size, 3]))
            self.assertListEqual([2, 5], logits.get_shape().as_list())
            self.assertIn("net/root", end_points)
            self.assertTrue(logits.op.name.startswith("net"))
            self.assertLen(tf.losses.get_regularization_losses(), 6)
            self.assertLen(tf.get_collection(tf.GraphKeys.UPDATE_OPS), 2)

    def testModelVariables(self):
        with tf.Graph().as_default():
            network(tf.zeros([2, 8, 8, 3]))
            names = [v.op.name for v in slim.get_model_variables()]
            self.assertIn("net/root/BatchNorm/beta", names)
            self.assertIn("net/blocks/blocks_1/conv1/weights", names)
            excluded = slim.get_variables_to_restore(exclude=["net/logits"])
            self.assertNotIn("net/logits/weights", [v.op.name for v in excluded])
            self.assertLen(slim.get_variables_by_suffix("gamma"), 0)

    def testTrain(self):
        logdir = os.path.join(self.get_temp_dir(), "train")
        with tf.Graph().as_default():
            tf.set_random_seed(1)
            images = tf.random_uniform([4, 8, 8, 3], seed=1)
            logits, _ = network(images)
            tf.losses.sparse_softmax_cross_entropy(tf.constant([0, 1, 2, 3]), logits)
            total = tf.losses.get_total_loss()
            train_op = slim.learning.create_train_op(
                total, tf.train.GradientDescentOptimizer(0.01), clip_gradient_norm=1.0
            )
            loss = slim.learning.train(
                train_op, logdir, number_of_steps=3, log_every_n_steps=1, save_summaries_secs=None
            )
            self.assertIsNotNone(loss)
        self.assertIsNotNone(tf.train.latest_checkpoint(logdir))
        self.assertEqual(3, contrib_framework.load_variable(logdir, "global_step"))

    def testEvaluateOnce(self):
        checkpoint_dir = os.path.join(self.get_temp_dir(), "evaluated")
        with tf.Graph().as_default(), tf.Session() as session:
            tf.get_variable("v", initializer=2.0)
            tf.train.get_or_create_global_step()
            session.run(tf.global_variables_initializer())
            tf.gfile.MakeDirs(checkpoint_dir)
            path = tf.train.Saver().save(session, os.path.join(checkpoint_dir, "model.ckpt"), 7)
        with tf.Graph().as_default():
            v = tf.get_variable("v", initializer=0.0)
            tf.train.get_or_create_global_step()
            value, update = slim.metrics.streaming_mean(v)
            result = slim.evaluation.evaluate_once(
                "", path, checkpoint_dir, num_evals=2, eval_op=update, final_op=value
            )
            self.assertAllClose(2.0, result)

    def testArgScope(self):
        self.assertTrue(contrib_framework.has_arg_scope(residual_block))
        self.assertIs(slim.arg_scope, contrib_framework.arg_scope)
        self.assertIs(slim.conv2d, contrib_layers.conv2d)
        self.assertIs(layers_lib.conv2d, contrib_layers.conv2d)
        self.assertIs(learning.create_train_op, slim.learning.create_train_op)
        with slim.arg_scope(arg_scope()):
            self.assertTrue(contrib_framework.has_arg_scope(slim.conv2d))

    def testVariables(self):
        with self.cached_session():
            v = contrib_variables.model_variable("m", [2], initializer=tf.ones_initializer())
            variables_lib.global_variables_initializer().run()
            self.assertAllEqual([1.0, 1.0], v.eval())
            init_fn = contrib_framework.assign_from_values_fn({"m": np.array([3.0, 4.0])})
            init_fn(tf.get_default_session())
            self.assertAllEqual([3.0, 4.0], v.eval())


class MyLayer(base_layers.Layer):
    def build(self, input_shape):
        self.kernel = self.add_variable(
            "kernel", [input_shape[-1].value, 2], initializer=init_ops.ones_initializer()
        )
        self.built = True

    def call(self, inputs):
        return tf.matmul(inputs, self.kernel)

    def compute_output_shape(self, input_shape):
        return tensor_shape.TensorShape(input_shape).as_list()[:-1] + [2]


class LayersTest(test.TestCase):
    def testOwnLayer(self):
        with tf.Graph().as_default(), session_lib.Session() as session:
            layer = MyLayer(name="mine")
            y = layer.apply(constant_op.constant([[1.0, 2.0]]))
            session.run(tf.global_variables_initializer())
            self.assertAllClose([[3.0, 3.0]], session.run(y))
            self.assertEqual("mine/kernel:0", layer.kernel.name)
            self.assertLen(layer.trainable_weights, 1)

    def testPrivateIsPublic(self):
        self.assertIs(core_layers.Dense, tf.layers.Dense)
        self.assertIs(base_layers.Layer, tf.layers.Layer)
        self.assertIs(init_ops.ones_initializer, tf.ones_initializer)
        self.assertIs(gradient_descent.GradientDescentOptimizer, tf.train.GradientDescentOptimizer)
        self.assertTrue(issubclass(tf.train.AdamOptimizer, optimizer_lib.Optimizer))
        self.assertIs(variables_lib.VariableV1, tf.Variable)
        self.assertIs(errors_impl.OutOfRangeError, tf.errors.OutOfRangeError)

    def testMockDense(self):
        with test.mock.patch.object(core_layers, "Dense") as dense:
            core_layers.Dense(3)
        dense.assert_called_once_with(3)
        self.assertIs(core_layers.Dense, tf.layers.Dense)

    def testMockTf(self):
        with test.mock.patch.object(tf, "random_normal", return_value=4) as normal:
            self.assertEqual(4, tf.random_normal([2]))
        self.assertEqual(1, normal.call_count)
        self.assertEqual([2], tf.random_normal([2]).shape.as_list())

    @test_util.run_in_graph_and_eager_modes
    def testModes(self):
        x = tf.constant([1.0, 4.0])
        self.assertAllClose([1.0, 2.0], self.evaluate(tf.sqrt(x)))
        if not context.executing_eagerly():
            self.assertEqual([2], tensor_util.constant_value(tf.shape(x)).tolist())

    @test_util.run_deprecated_v1
    def testDeprecated(self):
        x = tf.placeholder(dtypes.float32, [None])
        with self.session() as session:
            self.assertAllClose([2.0], session.run(2 * x, {x: [1.0]}))

    def testDeprecation(self):
        @deprecation.deprecated("2030-01-01", "Use another.")
        def old():
            return 3

        self.assertEqual(3, old())
        self.assertIn("DEPRECATED", old.__doc__)

    def testErrors(self):
        with self.cached_session():
            with self.assertRaisesOpError("never"):
                tf.Assert(tf.constant(False), ["never"]).run()
            with self.assertRaises(ValueError):
                tf.ones([2, 3]) + tf.ones([4, 5])


class SaverTest(tf.test.TestCase):
    def testSaver(self):
        path = os.path.join(self.get_temp_dir(), "ckpt")
        with self.session(graph=tf.Graph()) as session:
            v = tf.get_variable("v", [2], initializer=tf.constant_initializer(3.0))
            session.run(tf.global_variables_initializer())
            saved = saver_lib.Saver([v], max_to_keep=1).save(session, path, global_step=1)
            session.run(state_ops.assign(v, [0.0, 0.0]))
            saver_lib.Saver().restore(session, saved)
            self.assertAllClose([3.0, 3.0], session.run(v))
        reader = tf.train.NewCheckpointReader(saved)
        self.assertEqual({"v": [2]}, reader.get_variable_to_shape_map())
        self.assertTrue(saver_lib.checkpoint_exists(saved))

    def testCheckpointable(self):
        with tf.Graph().as_default(), tf.Session() as session:
            v = tf.get_variable("w", initializer=1.0, use_resource=True)
            checkpoint = checkpointable_utils.Checkpoint(w=v)
            session.run(tf.global_variables_initializer())
            with session.as_default():
                path = checkpoint.save(os.path.join(self.get_temp_dir(), "object"))
            session.run(v.assign(5.0))
            checkpoint.restore(path).assert_consumed().run_restore_ops(session)
            self.assertEqual(1.0, session.run(v))

    def testWarmStart(self):
        path = os.path.join(self.get_temp_dir(), "warm")
        with self.session(graph=tf.Graph()) as session:
            tf.get_variable("a/w", initializer=2.0)
            session.run(tf.global_variables_initializer())
            saved = tf.train.Saver().save(session, path)
        with self.session(graph=tf.Graph()) as session:
            w = tf.get_variable("b/w", initializer=0.0)
            tf.train.init_from_checkpoint(saved, {"a/": "b/"})
            session.run(tf.global_variables_initializer())
            self.assertEqual(2.0, session.run(w))


class FlagsTest(parameterized.TestCase, unittest.TestCase):
    def testFlag(self):
        FLAGS.mark_as_parsed()
        with flagsaver.flagsaver(agents_test_steps=5):
            self.assertEqual(5, FLAGS.agents_test_steps)

    def testDefault(self):
        self.assertEqual(3, FLAGS["agents_test_steps"].default)


class AgentTest(tf.test.TestCase):
    def testPolicyGradient(self):
        with tf.Graph().as_default(), tf.Session() as session:
            states = tf.placeholder(tf.float32, [None, 3])
            actions = tf.placeholder(tf.int32, [None])
            logits = contrib_layers.fully_connected(states, 2, activation_fn=None)
            policy = tf.distributions.Categorical(logits=logits)
            loss = -tf.reduce_mean(policy.log_prob(actions))
            optimizer = tf.train.RMSPropOptimizer(0.1)
            grads, variables = zip(*optimizer.compute_gradients(loss))
            clipped, norm = tf.clip_by_global_norm(grads, 0.5)
            train = optimizer.apply_gradients(zip(clipped, variables))
            session.run(tf.global_variables_initializer())
            feed = {states: np.ones([4, 3]), actions: [0, 1, 1, 1]}
            first = session.run(loss, feed)
            for _ in range(20):
                session.run((train, norm), feed)
            self.assertLess(session.run(loss, feed), first)

    def testReplay(self):
        with tf.Graph().as_default(), tf.Session() as session:
            queue = tf.FIFOQueue(3, [tf.float32], shapes=[[]])
            session.run(queue.enqueue_many([[1.0, 2.0, 3.0]]))
            self.assertAllEqual([1.0, 2.0], session.run(queue.dequeue_many(2)))
            self.assertEqual(1, session.run(queue.size()))

    def testPyFunc(self):
        with self.test_session():
            y = tf.py_func(
                lambda x: (2 * x).astype(np.float32), [tf.constant([1.0, 2.0])], tf.float32
            )
            self.assertAllClose([2.0, 4.0], y.eval())

    def testSupervisor(self):
        logdir = os.path.join(self.get_temp_dir(), "supervised")
        with tf.Graph().as_default():
            step = tf.train.get_or_create_global_step()
            add = tf.assign_add(step, 1)
            supervisor = tf.train.Supervisor(logdir=logdir, save_summaries_secs=0)
            with supervisor.managed_session() as session:
                self.assertEqual(1, session.run(add))
                supervisor.request_stop()

    def testSummaries(self):
        logdir = os.path.join(self.get_temp_dir(), "events")
        with tf.Graph().as_default(), tf.Session() as session:
            tf.summary.scalar("reward", tf.constant(2.0))
            writer = tf.summary.FileWriter(logdir, session.graph)
            writer.add_summary(session.run(tf.summary.merge_all()), 1)
            writer.close()
        found = []
        for name in tf.gfile.Glob(os.path.join(logdir, "*")):
            for event in tf.train.summary_iterator(name):
                found += [(v.tag, v.simple_value) for v in event.summary.value]
        self.assertEqual([("reward", 2.0)], found)


if __name__ == "__main__":
    tf.test.main()
