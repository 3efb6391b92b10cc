"""Tests that keras.ops computes what the functions computed that it replaces, with each backend."""

import ast
import functools
import json
import math
import os
import subprocess
import sys

import pytest

from migrate.rewrite.engine import fixed_point
from migrate.rewrite.engine.plan import FilePlan, ProgramFacts
from migrate.rewrite.keras3 import backend_functions, tensor_functions
from tests.migrate.rewrite import tools
from tests.migrate.rewrite.keras3 import computed

_UNARY = (
    "abs acos acosh asin asinh atan atanh ceil cos cosh erf exp expm1 floor is_finite is_inf "
    "is_nan log log1p negative reciprocal rsqrt sigmoid sign sin sinh sqrt square tan tanh"
)
_OF_INTEGERS = ("abs", "negative", "sign", "square")
_BINARY = (
    "add equal greater greater_equal less less_equal maximum minimum multiply not_equal pow "
    "squared_difference subtract"
)
_OF_FLOATS = ("divide", "truediv")
_REDUCTIONS = "logsumexp max mean min prod std sum variance"
_ACTIVATIONS = "elu relu relu6 selu silu softplus softsign swish sigmoid tanh"
_OF_BACKEND = "abs cos exp relu round sigmoid sign sin softplus softsign square tanh"
_COMPARISONS = "equal greater greater_equal less less_equal maximum minimum not_equal"
_REDUCTIONS_OF_BACKEND = "max mean min prod std sum var"

# Calls of each function. "math." stands for itself and for nothing, as both have the function.
CALLS = {
    **{f"math.{name}": ["p", "e", "h"] for name in _UNARY.split()},
    **{f"math.{name}": ["p", "e", "h", "i"] for name in _OF_INTEGERS},
    **{f"math.{name}": ["a, b", "a, c", "a, 2.0", "h, h"] for name in _OF_FLOATS},
    **{f"math.{name}": ["a, b", "a, c", "a, 2.0", "h, h", "i, j"] for name in _BINARY.split()},
    "math.pow": ["p, b", "p, 2.0", "h, 2.0", "j, j"],
    "math.atan2": ["a, b"],
    "math.divide_no_nan": ["a, b", "b, a"],
    "math.floordiv": ["a, b", "i, j"],
    "math.floormod": ["b, p", "i, j"],
    "math.logical_and": ["t, t", "t, [[True], [False]]"],
    "math.logical_or": ["t, t", "t, [[True], [False]]"],
    "math.logical_xor": ["t, t", "t, [[True], [False]]"],
    "math.logical_not": ["t"],
    "math.cumsum": ["a", "a, axis=1", "a, -1"],
    "math.argmax": ["a", "a, axis=1", "a, -1", "i, 1"],
    "math.argmin": ["b", "b, axis=1", "b, -1", "i, 1"],
    **{
        f"math.reduce_{name}": ["a", "a, 1", "a, axis=-1, keepdims=True", "r, [0, 2]", "h"]
        for name in _REDUCTIONS.split()
    },
    **{
        f"math.reduce_{name}": ["a", "a, 1", "r, axis=[0, 2], keepdims=True", "i", "i, 1"]
        for name in ("max", "min")
    },
    **{f"math.reduce_{name}": ["t", "t, 1", "t, axis=1, keepdims=True"] for name in ("all", "any")},
    **{f"nn.{name}": ["a", "e", "h"] for name in _ACTIVATIONS.split()},
    "nn.gelu": ["a", "a, True", "a, approximate=True"],
    "nn.leaky_relu": ["a", "a, 0.1", "a, alpha=0.3"],
    "nn.log_softmax": ["a", "a, 0", "r, axis=1"],
    "nn.softmax": ["a", "a, 0", "r, axis=1", "h"],
    "nn.bias_add": ["a, [1.0, 2.0, 3.0]", "r, [1.0, 2.0]"],
    "nn.sigmoid_cross_entropy_with_logits": ["labels=targets, logits=a"],
    "nn.softmax_cross_entropy_with_logits": ["labels=targets, logits=a"],
    "nn.sparse_softmax_cross_entropy_with_logits": ["labels=labels, logits=a"],
    "cast": ["a, tf.int32", "i, tf.float32", "a, 'bool'", "t, dtype=tf.float32", "a, tf.float16"],
    "clip_by_value": ["a, -1.0, 1.0", "i, -2, 2", "e, 0.0, 1.0"],
    "concat": ["[a, b], 0", "[a, c], axis=-1", "[i, j], axis=1"],
    "expand_dims": ["a, 1", "a, axis=-1"],
    "gather": ["a, labels, axis=1", "n, ids", "r, [[1, 0], [0, 1]]"],
    "matmul": ["a, n", "h, h", "r, n[:2]", "i, tf.transpose(j)"],
    "linalg.matmul": ["a, n"],
    "one_hot": ["ids, 3", "labels, depth=4"],
    "ones_like": ["a", "i", "a, dtype=tf.int32"],
    "zeros_like": ["a", "i", "t", "a, dtype=tf.int32"],
    "repeat": ["a, 2", "a, 2, axis=1", "a, repeats=3, axis=0"],
    "reshape": ["a, [3, 2]", "r, (-1, 4)", "a, -1"],
    "split": ["r, 3, axis=1", "a, 2"],
    "squeeze": ["tf.reshape(a, [1, 6])", "tf.reshape(a, [1, 6, 1]), axis=-1"],
    "stack": ["[a, b]", "[a, b], axis=-1", "[i, j], 1"],
    "stop_gradient": ["a"],
    "tile": ["a, [2, 1]", "i, [1, 3]"],
    "transpose": ["a", "r, [2, 0, 1]", "r, perm=[0, 2, 1]"],
    "unstack": ["a", "r, axis=1"],
    "where": ["t, a, b", "a > 0.0, a, 0.0", "t, c, b"],
    "einsum": ["'ij,jk->ik', a, n", "'bij,ij->b', r, n"],
    "tensordot": ["a, n, 1", "r, n, axes=[[1], [0]]"],
    "pad": ["a, [[1, 1], [0, 2]]"],
    "math.sigmoid": ["p", "e", "h"],
    "math.softplus": ["a"],
    "math.tanh": ["p", "e", "h"],
}
# Calls of functions of keras.backend.
BACKEND = {
    **{name: ["a", "p", "h"] for name in _OF_BACKEND.split()},
    "log": ["p"],
    "sqrt": ["p", "a"],
    **{name: ["a, b", "a, c", "h, h"] for name in _COMPARISONS.split()},
    **{
        name: ["a", "a, 1", "a, axis=-1, keepdims=True", "r, [0, 2]"]
        for name in _REDUCTIONS_OF_BACKEND.split()
    },
    **{name: ["t", "t, 1", "t, axis=1, keepdims=True"] for name in ("all", "any")},
    "argmax": ["a", "a, 0"],
    "argmin": ["b", "b, 0"],
    "binary_crossentropy": ["targets, a, from_logits=True"],
    "cast": ["a, 'int32'", "i, dtype='float32'"],
    "clip": ["a, -1.0, 1.0"],
    "concatenate": ["[a, b]", "[a, b], axis=0"],
    "dot": ["a, n", "r, n[:2]"],
    "elu": ["a", "a, 0.5"],
    "expand_dims": ["a", "a, 1"],
    "flatten": ["a", "r"],
    "gather": ["n, ids"],
    "get_value": ["a"],
    "int_shape": ["a", "r"],
    "ndim": ["r"],
    "one_hot": ["ids, 3"],
    "ones_like": ["a"],
    "permute_dimensions": ["r, (2, 0, 1)"],
    "pow": ["p, 2.0"],
    "repeat_elements": ["a, 2, 1"],
    "reshape": ["a, (3, 2)"],
    "shape": ["r"],
    "softmax": ["a", "a, 0"],
    "squeeze": ["tf.reshape(a, [1, 6]), 0"],
    "stack": ["[a, b]", "[a, b], 1"],
    "stop_gradient": ["a"],
    "tile": ["a, (2, 1)"],
    "transpose": ["a"],
    "zeros_like": ["a"],
}
CASES = [f"tf.{name}({arguments})" for name in CALLS for arguments in CALLS[name]]
CASES += [f"K.{name}({arguments})" for name in BACKEND for arguments in BACKEND[name]]


def rewritten(case):
    """Returns the new code of a call in a layer."""
    program = (
        "import keras\nimport tensorflow as tf\nfrom tf_keras import backend as K\n"
        f"class Layer(keras.layers.Layer):\n    def call(self, {', '.join(computed.VALUES)}):\n"
        f"        return {case}\n"
    )
    rules = [tools.rule("keras3", f"{name}_functions")[0] for name in ("tensor", "backend")]
    plan = FilePlan(ProgramFacts("v2"))
    text = fixed_point.rewrite(program, rules, unsafe=True, plan=plan).text
    return ast.unparse(ast.parse(text).body[-1].body[-1].body[-1].value)


@functools.cache
def results():
    """Returns the results of the calls, and of the new code with TensorFlow and with JAX."""
    new = [rewritten(case) for case in CASES]
    return run([*CASES, *new], "tensorflow"), run(new, "jax")


def run(expressions, backend):
    done = subprocess.run(
        [sys.executable, "-m", "tests.migrate.rewrite.keras3.computed"],
        input=json.dumps(expressions),
        capture_output=True,
        text=True,
        cwd=tools.ROOT,
        env={**os.environ, **tools.ENVIRONMENT, "KERAS_BACKEND": backend},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def difference(old, new, with_types=True):
    """Returns the difference of two results, or ""."""
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return "".join(difference(*pair, with_types) for pair in zip(old, new, strict=True))
    if isinstance(old, list) or "raised" in old or "raised" in new:
        return f"{old} {new}"
    if with_types and old["type"] != new["type"]:
        return f"{old['type']} {new['type']}"
    if shape(old["values"]) != shape(new["values"]):
        return f"{shape(old['values'])} {shape(new['values'])}"
    pairs = zip(flat(old["values"]), flat(new["values"]), strict=True)
    is_half = old["type"] == "float16"
    return "".join(f"{a} {b}; " for a, b in pairs if not is_close(a, b, 2e-3 if is_half else 2e-6))


def is_close(a, b, tolerance):
    if math.isnan(a) or math.isnan(b):
        return math.isnan(a) and math.isnan(b)
    return a == b or abs(a - b) <= tolerance * max(1, abs(a), abs(b))


def shape(values):
    return [len(values), *shape(values[0])] if isinstance(values, list) and values else []


def flat(values):
    if not isinstance(values, list):
        return [values]
    return [part for value in values for part in flat(value)]


@pytest.mark.parametrize("case", CASES)
def test_a_call_is_replaced(case):
    assert not rewritten(case).startswith(("tf.", "K."))


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(CASES)), ids=CASES)
def test_the_new_code_computes_the_same(number):
    of_tensorflow, _ = results()
    old, new = of_tensorflow[number], of_tensorflow[len(CASES) + number]
    assert difference(old, new) == ""


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(CASES)), ids=CASES)
def test_the_new_code_computes_the_same_with_jax(number):
    of_tensorflow, of_jax = results()
    # JAX has no types of 64 bits by default.
    assert difference(of_tensorflow[number], of_jax[number], with_types=False) == ""


def test_a_difference_is_found():
    one = {"type": "float32", "values": [1.0, 2.0]}
    assert difference(one, {**one, "values": [1.0, 2.001]})
    assert difference(one, {**one, "type": "float64"})
    assert difference(one, {**one, "values": [[1.0, 2.0]]})
    assert difference(one, one) == ""


def test_each_function_has_calls():
    names = {name for name in tensor_functions.FUNCTIONS if f"math.{name}" not in CALLS}
    assert names == {*CALLS}
    assert {*backend_functions.FUNCTIONS} - {*BACKEND} == {"set_value"}
