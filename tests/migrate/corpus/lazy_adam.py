"""An optimizer for sparse gradients, written on TensorFlow's private modules as they were."""
from tensorflow.python.framework import dtypes, ops
from tensorflow.python.lib.io import file_io
from tensorflow.python.ops import array_ops
from tensorflow.python.ops import check_ops
from tensorflow.python.ops import control_flow_ops
from tensorflow.python.ops import math_ops
from tensorflow.python.ops import variable_scope
from tensorflow.python.summary import summary
from tensorflow.python.training import adam, moving_averages, training, training_util
from tensorflow.python.util import function_utils, nest
from tensorflow.python.util.deprecation import deprecated


class LazyAdamOptimizer(adam.AdamOptimizer):
  """Updates the moments of those rows only that were looked up."""

  def __init__(self, rate=0.001, name="LazyAdam"):
    super(LazyAdamOptimizer, self).__init__(rate, name=name)
    self._seen = None

  def _apply_sparse(self, grad, var):
    with ops.colocate_with(var), ops.name_scope("lazy"):
      indices = math_ops.cast(grad.indices, dtypes.int32)
      rows = array_ops.identity(array_ops.shape(var)[0])
      empty = math_ops.equal(array_ops.shape(indices)[0], 0)
      check = check_ops.assert_greater_equal(rows, 1)
      with ops.control_dependencies([check]):
        kept = array_ops.where(math_ops.logical_not(empty), indices, array_ops.zeros([1], dtypes.int32))
      both = array_ops.concat([kept, array_ops.stack([0])], 0)
      update = control_flow_ops.cond(
          empty, lambda: control_flow_ops.group(both), lambda: control_flow_ops.group(kept))
      return update


def average(value, decay, scope="averages"):
  with variable_scope.variable_scope(scope):
    value = ops.convert_to_tensor(value)
    kept = variable_scope.get_variable("value", value.shape, dtypes.float32)
  summary.scalar("average", math_ops.add(kept, 0.0))
  moving_averages.assign_moving_average(kept, value, decay)
  return training.get_global_step(), training_util.get_global_step()


def flattened(structure):
  flat = nest.flatten(structure) if nest.is_sequence(structure) else [structure]
  flat = [one if isinstance(one, ops.Tensor) else array_ops.identity(one) for one in flat]
  return nest.pack_sequence_as(structure, flat), nest.map_structure(array_ops.shape, structure)


@deprecated("2018-06-01", "Use average().")
def old_average(fn, path):
  if "mode" in function_utils.fn_args(fn):
    with file_io.FileIO(path, "w") as file:
      file.write(str(dtypes.bool))
