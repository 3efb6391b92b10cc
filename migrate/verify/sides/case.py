"""Makes both sides comparable: the same batches, and the same weights by a map of their names.

with case.open_case(program, port, batches, tensor_map) as case:
    case.pairs        # legacy variable -> weight of the port
    case.weights      # fixed values by legacy name
    case.load_port()  # assigns the weights to the port
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import tempfile
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from migrate import batches as batches_lib
from migrate.checkpoint.naming import mapping
from migrate.verify.sides import legacy_model, tolerances, values, whole_variables
from migrate.verify.sides import port as port_lib
from modern.process import cli


@dataclasses.dataclass
class Case:
    """Two programs under comparison.

    Attributes:
      program: Legacy side.
      port: Modern side.
      batches: Batches of both sides.
      graphs: Graphs by mode: "eval" and "train". "infer" and "train" if the model_fn has no
        evaluation. Only "train" if it has no prediction either.
      map: Map of the variables.
      weights: Fixed values of the model's variables, by legacy name.
      state: Further initial values for training, by legacy name: slots from a checkpoint.
      step: Global step at which training starts.
      output: Name of the port's output if it is, for example, the softmax of a tensor of the
        model_fn, else "".
    """

    program: legacy_model.Program
    port: port_lib.Port
    batches: batches_lib.Batches
    graphs: Mapping[str, legacy_model.Graph]
    map: mapping.TensorMap
    weights: dict[str, np.ndarray]
    state: dict[str, np.ndarray]
    step: int
    output: str = ""

    @property
    def plain_mode(self) -> str:
        """The mode that shows the model as it is after training."""
        return next(iter(self.graphs))

    @property
    def pairs(self) -> dict[str, str]:
        """Weights of the port by legacy variable."""
        return self.map.pairs

    def load_port(self) -> None:
        """Assigns the fixed weights to the port."""
        self.port.assign({new: self.weights[old] for old, new in self.pairs.items()})

    def port_values(self, arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Returns values that are keyed by the port's names under the legacy names."""
        return {old: arrays[new] for old, new in self.pairs.items() if arrays.get(new) is not None}

    @functools.cached_property
    def neighbours(self) -> list[dict[str, np.ndarray]]:
        """The weights with each number moved to a neighbouring one, `tolerances.RUNS` times."""
        return [values.nudged(self.weights, run) for run in range(tolerances.RUNS)]

    def floor(
        self,
        compute: Callable[[batches_lib.Batch], Mapping[str, np.ndarray]],
        mode: str,
        batch: batches_lib.Batch,
    ) -> tolerances.Floor[str]:
        """Computes values on the legacy side from the fixed weights and from nudged ones.

        Args:
          compute: Function that computes the values from a batch, by name.
          mode: Mode of the graph.
          batch: Batch to compute from.

        Returns:
          The floor, with the result in `base`.
        """
        graph = self.graphs[mode]
        graph.assign(self.weights)
        floor = tolerances.Floor(compute(batch))
        for run, weights in enumerate(self.neighbours):
            graph.assign(weights)
            features = values.nudged(batch.features, 100 + run)
            with graph.nudged(run):
                floor.see(compute(dataclasses.replace(batch, features=features)))
        graph.assign(self.weights)
        return floor


class Undecided(cli.UsageError):
    """Reports variables that cannot be paired with certainty. `proposal` has the certain pairs."""

    def __init__(self, message: str, proposal: mapping.TensorMap) -> None:
        super().__init__(message)
        self.proposal = proposal


@contextlib.contextmanager
def open_case(
    program: legacy_model.Program,
    port: port_lib.Port,
    batches: batches_lib.Batches,
    tensor_map: mapping.TensorMap | None = None,
    checkpoint: Mapping[str, np.ndarray] | None = None,
) -> Iterator[Case]:
    """Builds both sides and pairs their variables.

    Args:
      program: Legacy side.
      port: Modern side.
      batches: Batches for both sides.
      tensor_map: Map from a file. None proposes one.
      checkpoint: Values by legacy name, which replace random values.

    Yields:
      The case, with the same weights on both sides.

    Raises:
      Undecided: The map is ambiguous.
      cli.UsageError: A side cannot be built, or the checkpoint lacks a variable.
    """
    with contextlib.ExitStack() as stack:
        graphs = {}
        with contextlib.suppress(legacy_model.NoSpec):
            evaluation = program.graph(legacy_model.EVAL, batches.specs)
            graphs[legacy_model.EVAL] = stack.enter_context(evaluation)
        if not graphs:
            with contextlib.suppress(cli.UsageError):  # It may not predict either.
                prediction = program.graph(legacy_model.PREDICT, batches.specs)
                graphs[legacy_model.PREDICT] = stack.enter_context(prediction)
        training = stack.enter_context(program.graph(legacy_model.TRAIN, batches.specs))
        graphs[legacy_model.TRAIN] = training
        for graph in graphs.values():
            graph.initialize()
        port.build(batches.items[0])
        _look_for_sources(graphs)
        variables = model_variables(graphs)
        proposal = mapping.propose(
            _tensors(variables, training.trained_names), _weights(port), tensor_map
        )
        if proposal.ambiguous:
            raise Undecided(_ambiguous(proposal), proposal)
        sources = _sources(graphs)
        for name in [n for n, s in sources.items() if s in proposal.left_out]:
            del sources[name]
        initial = {name: value for graph in graphs.values() for name, value in graph.read().items()}
        model = {name: initial[name] for name in variables}
        trained_names = training.trained_names | set(sources.values())
        weights = values.interesting(model, trained_names)
        case = Case(program, port, batches, graphs, proposal, weights, {}, 0)
        if checkpoint is not None:
            _restore(case, checkpoint)
        for graph in graphs.values():
            graph.assign(case.weights)
        yield case


def _look_for_sources(graphs: Mapping[str, legacy_model.Graph]) -> None:
    """Finds the variables that evaluation restores under another name, such as averages."""
    training, evaluation = graphs[legacy_model.TRAIN], graphs.get(legacy_model.EVAL)
    if evaluation is None or evaluation.scaffold is None or evaluation.scaffold.saver is None:
        return
    initial = training.read()
    distinct = [name for name, value in initial.items() if value.dtype.kind == "f"]
    training.assign(values.interesting(initial, distinct))
    with tempfile.TemporaryDirectory() as folder:
        evaluation.find_sources(training, folder)
    training.assign(initial)


def _sources(graphs: Mapping[str, legacy_model.Graph]) -> dict[str, str]:
    return graphs[legacy_model.EVAL].sources if legacy_model.EVAL in graphs else {}


def model_variables(
    graphs: Mapping[str, legacy_model.Graph],
) -> dict[str, whole_variables.Variable]:
    """Returns the variables of the model, without the global step and optimizer variables."""
    variables: dict[str, whole_variables.Variable] = {}
    for graph in graphs.values():
        used_names = graph.used_variables() | set(_sources(graphs).values())
        for name, variable in graph.variables.items():
            if name != graph.step_name and (name in used_names or name in graph.trained_names):
                variables.setdefault(name, variable)
    return variables


def _tensors(
    variables: Mapping[str, whole_variables.Variable], trained_names: set[str]
) -> list[mapping.Tensor]:
    return [
        mapping.Tensor(name, variable.shape, variable.dtype, name in trained_names)
        for name, variable in variables.items()
    ]


def _weights(port: port_lib.Port) -> list[mapping.Tensor]:
    trainable = port.trainable
    return [
        mapping.Tensor(name, tuple(weight.shape), weight.dtype.name, name in trainable)
        for name, weight in port.names.items()
    ]


def _ambiguous(pairs: mapping.TensorMap) -> str:
    lines = [
        f"  {name} = ?  # one of: {' | '.join(candidates)}"
        for name, candidates in pairs.ambiguous.items()
    ]
    return (
        f"{len(lines)} variables could be paired in more than one way, and a wrong pair of the "
        "same shape would load without an error:\n" + "\n".join(lines)
    )


def _restore(case: Case, checkpoint: Mapping[str, np.ndarray]) -> None:
    """Takes weights, slots and the global step from a checkpoint."""
    missing = sorted(set(case.weights) - set(checkpoint))
    if missing:
        raise cli.UsageError(
            f"--checkpoint: has no {', '.join(missing[:3])}: it was not written by this model_fn."
        )
    training = case.graphs[legacy_model.TRAIN]
    for name in {*case.weights, *training.variables} & set(checkpoint):
        shape = case.weights[name].shape if name in case.weights else training.variables[name].shape
        if tuple(checkpoint[name].shape) != tuple(shape):
            raise cli.UsageError(
                f"--checkpoint: {name} has shape {tuple(checkpoint[name].shape)} there, in the "
                f"model_fn it is {tuple(shape)}."
            )
    case.weights = {name: checkpoint[name] for name in case.weights}
    case.step = int(checkpoint.get(training.step_name, 0))
    case.state = {
        name: checkpoint[name]
        for name in training.variables
        if name in checkpoint and name not in case.weights
    }
