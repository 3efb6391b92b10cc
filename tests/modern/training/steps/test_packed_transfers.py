"""Tests that small tensors of a step travel together, and that nothing else changes."""

import itertools

import numpy as np
import pytest
import tensorflow as tf

from modern.training.steps import packed_transfers
from tests.modern import in_process_cluster, programs

tf1 = tf.compat.v1
PS = ("/job:ps/task:0", "/job:ps/task:1")
WORKER = "/job:worker/task:0"
_NAMES = itertools.count()


@pytest.fixture(name="target", scope="module")
def fixture_target():
    """Starts a worker and two parameter servers, and returns the address of the worker."""
    _, servers = in_process_cluster.served(ps=2)
    yield servers[0].target
    del servers


class Session:
    """A session of a graph that a function builds."""

    def __init__(self, target, build, is_packed=True):
        with tf.Graph().as_default() as graph:
            # Servers keep variables of the same name between sessions.
            with tf.device(WORKER), tf1.variable_scope(f"scope_{next(_NAMES)}"):
                self.step, self.fetches = build()
            self.packed = packed_transfers.pack(graph, [self.step], task=WORKER) if is_packed else 0
            initializer = tf1.global_variables_initializer()
        self._session = tf1.Session(target, graph=graph)
        self._session.run(initializer)

    def run(self, *args, **options):
        return self._session.run(*args, **options)

    def requests(self):
        """Returns the number of tensors that tasks send each other in a step."""
        metadata = tf1.RunMetadata()
        options = tf1.RunOptions(output_partition_graphs=True)
        self.run(self.step, options=options, run_metadata=metadata)
        return sum(
            node.op == "_Recv" and node.attr["send_device"].s != node.attr["recv_device"].s
            for graph in metadata.partition_graphs
            for node in graph.node
        )


def _variable(name, value, server):
    with tf.device(PS[server]):
        return tf1.get_variable(name, initializer=tf.constant(value), use_resource=True)


def _counter():
    """Returns the number of the batch, which each call of a session increases if it is read."""
    batches = tf.data.Dataset.counter(dtype=tf.int32)
    return tf1.data.make_one_shot_iterator(batches).get_next()


def sparse_step():
    """Builds a step of tables on two servers, and returns it and the variables."""
    batch = tf.cast(_counter(), tf.int64)
    rng = np.random.RandomState(0)
    tables = [
        _variable(f"table_{number}", rng.randn(6, 2).astype(np.float32), number % 2)
        for number in range(6)
    ]
    bias = _variable("bias", np.float32(0.5), 0)
    rows = [
        tf.gather(table, tf.unique([batch % 5, (batch + number) % 3])[0])
        for number, table in enumerate(tables)
    ]
    loss = tf.add_n([tf.reduce_sum(tf.square(row) * row) for row in rows]) * bias
    step = tf1.train.AdagradOptimizer(0.1).minimize(loss)
    return step, [variable.read_value() for variable in (*tables, bias)]


def test_packed_steps_compute_the_same_with_fewer_requests(target):
    values, requests = [], []
    for is_packed in (True, False):
        session = Session(target, sparse_step, is_packed)
        for _ in range(5):
            session.run(session.step)
        values.append(session.run(session.fetches))
        requests.append(session.requests())
        assert bool(session.packed) == is_packed
    for packed, plain in zip(*values, strict=True):
        np.testing.assert_array_equal(packed, plain)
    assert requests[0] <= 10
    assert requests[1] >= 18  # Six tables: ids, rows, gradients.


@pytest.mark.parametrize("is_planted", [False, True])
def test_other_fetches_have_no_effects(target, monkeypatch, is_planted):
    def build():
        count, bias = _variable("count", np.float32(0), 0), _variable("bias", np.float32(1), 0)
        with tf.device(PS[0]):
            number = tf1.assign_add(count, 1.0)
        with tf.device(WORKER):
            shown = bias + 1.0
            return number + shown, [shown]

    if is_planted:
        monkeypatch.setattr(packed_transfers, "_has_effect", lambda operation: False)
    session = Session(target, build)
    assert bool(session.packed) == is_planted
    before = session.run(session.step)
    session.run(session.fetches)
    assert session.run(session.step) - before == (2 if is_planted else 1)


def shapes():
    """Builds a step that sends tensors of many shapes and dtypes, and returns what arrives."""
    batch = tf.cast(_counter(), tf.float32)
    sent = []
    with tf.device(PS[0]):
        base = tf.random.stateless_uniform([4, 3], seed=[0, 1]) + batch
        for dtype in (tf.float16, tf.bfloat16, tf.float32, tf.float64, tf.int32, tf.int64):
            values = tf.cast(base * 100, dtype)
            mask = base > batch + 0.5
            sent += [
                values,
                values[0, 0],
                values[:0],
                tf.boolean_mask(values, mask),
                tf.boolean_mask(values, tf.reduce_any(mask, axis=1)),
                tf1.placeholder_with_default(values[:, :2], [None, None]),
                tf1.placeholder_with_default(values[1:], None),
                tf1.placeholder_with_default(values[:0], [None, 3]),
                tf1.placeholder_with_default(values[:, :0], [None, 0]),
            ]
    with tf.device(WORKER):
        received = [tf.negative(tensor) for tensor in sent]
    return tf.group(received), received


@pytest.mark.filterwarnings("ignore:.*placeholder")
def test_shapes_and_dtypes_arrive(target):
    packed, plain = Session(target, shapes), Session(target, shapes, is_packed=False)
    assert packed.packed == 9 * 6
    for one, other in zip(packed.run(packed.fetches), plain.run(plain.fetches), strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)
    for one, other in zip(*(graph.fetches for graph in (packed, plain)), strict=True):
        assert str(one.shape) == str(other.shape)
    # Grappler's mixed precision would change floats.
    operations = packed.step.graph.get_operations()
    packs = [one for one in operations if one.name.startswith("packed_transfers/concat")]
    assert {one.outputs[0].dtype for one in packs} == {tf.int16, tf.int32, tf.int64}


def test_large_tensors_travel_alone(target):
    def build(size):
        def of_size():
            values = [_variable(f"v{i}", np.ones(size, np.float32), 0) for i in range(3)]
            with tf.device(WORKER):
                return tf.add_n([value + 1.0 for value in values]), []

        return of_size

    assert Session(target, build(65_000)).packed == 3
    assert Session(target, build(66_000)).packed == 0


@pytest.mark.parametrize("is_taken", [False, True])
def test_a_branch_that_is_not_taken_sends_nothing(target, is_taken):
    def build():
        values = [_variable(f"v{i}", np.float32(i + 1), 0) for i in range(4)]
        tf1.disable_control_flow_v2()
        try:
            with tf.device(PS[0]):
                chosen = tf1.cond(
                    tf.equal(values[0], 1.0 if is_taken else 0.0),
                    lambda: [value * 2.0 for value in values],
                    lambda: [value * 3.0 for value in values],
                )
                switched = [tf.raw_ops.Switch(data=v.read_value(), pred=False) for v in values]
                merged = [
                    tf.raw_ops.Merge(inputs=[tf.negative(one.output_true), two]).output
                    for one, two in zip(switched, values, strict=True)
                ]
        finally:
            tf1.enable_control_flow_v2()
        with tf.device(WORKER):
            outside = [tf.identity(one.output_true) for one in switched]  # Never arrive.
            both = [
                tf.raw_ops.Merge(inputs=[one, tf.identity(two.output_false)]).output
                for one, two in zip(outside, switched, strict=True)
            ]
            return tf.add_n([*chosen, *both, *merged]), []

    session = Session(target, build)
    assert session.packed >= 8
    assert session.run(session.step) == (20 if is_taken else 30) + 10 + 10


def test_a_loop_is_left_alone(target):
    def build():
        values = [_variable(f"v{i}", np.float32(i), 0) for i in range(3)]
        tf1.disable_control_flow_v2()
        try:
            total = tf.add_n([value + 1.0 for value in values])
            return tf1.while_loop(lambda x: x < 100.0, lambda x: x * 2.0, [total]), []
        finally:
            tf1.enable_control_flow_v2()

    session = Session(target, build)
    assert session.packed == 0
    assert session.run(session.step) == 192


def gathered_twice():
    """Builds a step whose gradients ask for the shapes of rows on the server."""
    ids, positions = tf.unique([_counter() % 5, 3, 3])
    tables = [_variable(f"of_{number}", np.ones([6, 2], np.float32), 0) for number in range(4)]
    with tf.device(None):  # As in a step of Keras: where the table is, and that is all.
        read = [tf.gather(table, ids) for table in tables]
    rows = [tf.gather(one, positions) for one in read]
    loss = tf.add_n([tf.reduce_sum(tf.square(row)) for row in rows])
    return tf1.train.GradientDescentOptimizer(0.1).minimize(loss), []


def test_rows_do_not_go_back_to_be_measured(target, monkeypatch):
    requests = Session(target, gathered_twice).requests()
    monkeypatch.setattr(packed_transfers, "_beside", lambda operation: None)
    assert Session(target, gathered_twice).requests() > requests


@pytest.mark.parametrize("is_planted", [False, True])
def test_a_step_of_keras(is_planted):
    mode = "planted" if is_planted else "kept"
    found = programs.printed_by("tests.modern.training.steps.packed_step", mode)
    assert found["packs"]
    # A read that follows an update would travel with one that the update needs.
    assert found["has_cycle"] == is_planted
    # 1 + (0 + 1 + 2 + 3), and then 1 + (0 + 8 + 9 + 10).
    after = 2.0 * (1 + 2 + 3 + 3 * 7 + 3 * 28)
    assert found["logs"] == ({} if is_planted else {"before": [28.0], "after": [after]})
