"""Plans the source of each tensor in a conversion, and lists all problems before any writing.

    plan = plans.make(source, target.stored, target.convention, given, plans.Options())
    plan.problems or plan.moves

The map pairs the weights. Slots follow their variables and keep their meaning (`slots`). The step
is carried over, and the beta powers of v1's Adam are computed from it. Hyperparameters
(learning_rate, beta_1, ...) and metrics belong to the target program and keep the template's
values.
"""

from __future__ import annotations

import dataclasses
import fnmatch
import math
from collections.abc import Iterable, Mapping, Sequence

from migrate.checkpoint.formats.contents import Role, Stored
from migrate.checkpoint.formats.source import Source
from migrate.checkpoint.naming import mapping, slots
from migrate.checkpoint.naming.mapping import TensorMap
from modern.process import cli

_IDLE = "Momentum is of no effect if the hyperparameter is 0: then say"
_STAYS = (Role.SETTING, Role.METRIC, Role.BOOKKEEPING)


@dataclasses.dataclass(frozen=True)
class Options:
    """Options of the user.

    Attributes:
      leave_out: Shell patterns of names in the source that are not carried over.
      keep: Shell patterns of names in the target that keep the template's values.
      weights_only: If true, carries over no optimizer state and no step.
      use_averages: If true, ExponentialMovingAverage shadows replace their variables.
      learning_rate: Learning rate of the next step, for momentum.
      beta_1: Hyperparameter of Adam.
      beta_2: Hyperparameter of Adam.
      step: Step that replaces the source's.
      forget_bias: Constant that the old LSTM cells add to their forget gates. None for that of the
        graph next to the checkpoint, or else for 1.
      cast: If true, values may change their dtype.
      reshape: If true, values may change their shape, with the same order of elements.
      slots: Maps slots of an unknown optimizer to their names in the target.
    """

    leave_out: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    weights_only: bool = False
    use_averages: bool = False
    learning_rate: float | None = None
    beta_1: float | None = None
    beta_2: float | None = None
    step: int | None = None
    forget_bias: float | None = None
    cast: bool = False
    reshape: bool = False
    slots: Mapping[str, str] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Move:
    """Source of the value of one tensor of the target.

    Attributes:
      target: The tensor.
      source: Tensor with the value. None takes `value`, or else the template's value.
      scale: Factor of the value. None leaves it unchanged.
      value: Number to write.
    """

    target: Stored
    source: Stored | None = None
    scale: float | None = None
    value: float | None = None


@dataclasses.dataclass
class Plan:
    """Plan of a conversion.

    Attributes:
      tensor_map: Pairs of the variables.
      moves: Moves, one for each tensor of the target.
      problems: Sentences on problems. Empty if the conversion is possible.
      notes: Further information for the user.
    """

    tensor_map: TensorMap
    moves: list[Move] = dataclasses.field(default_factory=list)
    problems: list[str] = dataclasses.field(default_factory=list)
    notes: list[str] = dataclasses.field(default_factory=list)


def make(
    source: Source,
    target: Sequence[Stored],
    convention: str,
    given: TensorMap | None = None,
    options: Options | None = None,
) -> Plan:
    """Plans a conversion.

    Args:
      source: Checkpoint to convert.
      target: Tensors of the template.
      convention: "v1" or "keras", for the target's optimizers.
      given: Map from the map file.
      options: Options of the user.

    Raises:
      cli.UsageError: `given` names a variable that does not exist.
    """
    return _Planner(source, target, convention, given, options or Options()).plan()


def variables(stored: Iterable[Stored], without: Sequence[str] = ()) -> list[mapping.Tensor]:
    """Returns the variables in the form of the map.

    Args:
      stored: All tensors of a checkpoint.
      without: Patterns of names to skip.
    """
    return [
        tensor.tensor()
        for tensor in stored
        if tensor.role is Role.VARIABLE and not matches(tensor.name, without)
    ]


def excluded(
    source: Iterable[Stored],
    target: Iterable[Stored],
    given: TensorMap | None,
    options: Options,
) -> set[str]:
    """Returns the names of variables on either side that the user leaves out or keeps."""
    names = {*given.left_out, *given.initialized} if given else set()
    names |= {tensor.name for tensor in source if matches(tensor.name, options.leave_out)}
    return names | {tensor.name for tensor in target if matches(tensor.name, options.keep)}


def matches(name: str, patterns: Iterable[str]) -> bool:
    """Returns true if a name matches a shell pattern."""
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


class _Planner:
    def __init__(
        self,
        source: Source,
        target: Sequence[Stored],
        convention: str,
        settled_map: TensorMap | None,
        options: Options,
    ) -> None:
        self._source = source
        self._target = target
        self._convention = convention
        self._options = options
        self._by_name = {tensor.name: tensor for tensor in source.stored}
        self._step = source.step() if options.step is None else options.step
        self._used_names: set[str] = set()
        tensor_map = mapping.propose(
            variables(source.stored, options.leave_out),
            variables(target, options.keep),
            settled_map,
        )
        self._left_of = {right: left for left, right in tensor_map.pairs.items()}
        carried_tensors = [
            tensor for tensor in source.stored if not matches(tensor.name, options.leave_out)
        ]
        self._averages = {
            tensor.owner: tensor for tensor in carried_tensors if tensor.role is Role.AVERAGE
        }
        self._slots: dict[str, list[Stored]] = {}
        for tensor in carried_tensors:
            if tensor.role is Role.SLOT:
                self._slots.setdefault(tensor.owner, []).append(tensor)
        self._plan = Plan(tensor_map)

    def plan(self) -> Plan:
        """Makes the plan."""
        self._check_map()
        by_role = {
            Role.VARIABLE: self._variable,
            Role.SLOT: self._slot,
            Role.AVERAGE: self._average,
            Role.STEP: self._steps,
            Role.POWER: self._power,
        }
        missing: dict[str, list[str]] = {}
        for tensor in self._target:
            move: Move | str = Move(tensor)
            if tensor.role not in _STAYS and not matches(tensor.name, self._options.keep):
                move = by_role[tensor.role](tensor)
            if isinstance(move, str):
                missing.setdefault(move, []).append(tensor.name)
            else:
                self._plan.moves.append(move)
        for why, names in missing.items():
            self._problem(f"{_some(names)}: {why}")
        if not self._options.weights_only:
            self._check_unused()
            self._check_powers()
        return self._plan

    def _problem(self, text: str) -> None:
        self._plan.problems.append(text)

    def _check_map(self) -> None:
        tensor_map = self._plan.tensor_map
        for left, rights in tensor_map.ambiguous.items():
            self._problem(f"{left} could be any of {_some(rights)}: settle it in a map (--map).")
        for left in tensor_map.only_left:
            self._problem(
                f"{left} has no counterpart in the target: pair it in a map (--map) or leave it "
                "out (--leave-out)."
            )
        for right in tensor_map.only_right:
            self._problem(
                f"{right} has no counterpart in the source: pair it in a map (--map) or keep what "
                "the template has (--keep)."
            )

    def _variable(self, tensor: Stored) -> Move | str:
        left = self._left_of.get(tensor.name)
        if left is None:
            return Move(tensor)  # Kept by the user's choice, or already reported as a problem.
        source_tensor = self._by_name[left]
        if self._options.use_averages and left in self._averages:
            source_tensor = self._averages[left]
        return self._checked_move(tensor, source_tensor)

    def _checked_move(
        self, tensor: Stored, source_tensor: Stored, scale: float | None = None
    ) -> Move:
        """Returns a move. Reports a problem if shape or dtype differ without permission."""
        self._used_names.add(source_tensor.name)
        if source_tensor.shape != tensor.shape and not (
            self._options.reshape and math.prod(source_tensor.shape) == math.prod(tensor.shape)
        ):
            hint = (
                ": add --reshape if the order of elements is the same"
                if math.prod(source_tensor.shape) == math.prod(tensor.shape)
                else ""
            )
            self._problem(
                f"{source_tensor.name} has shape {source_tensor.shape}, and {tensor.name} "
                f"{tensor.shape}{hint}."
            )
        if source_tensor.dtype != tensor.dtype and (
            not self._options.cast or "string" in (source_tensor.dtype, tensor.dtype)
        ):
            self._problem(
                f"{source_tensor.name} is {source_tensor.dtype}, and {tensor.name} {tensor.dtype}: "
                "add --cast if values may be rounded."
            )
        return Move(tensor, source_tensor, scale)

    def _slot(self, tensor: Stored) -> Move | str:
        if self._options.weights_only:
            return Move(tensor)
        if not tensor.owner:
            return "the variable of this slot is unknown. Use a tf.train.Checkpoint or --model."
        left = self._left_of.get(tensor.owner)
        if left is None:
            return Move(tensor)
        for source_tensor in self._slots.get(left, ()):
            new_name = self._options.slots.get(source_tensor.slot)
            if new_name == tensor.slot:
                return self._checked_move(tensor, source_tensor)
            if (source_tensor.kind, source_tensor.slot) == (
                tensor.kind,
                tensor.slot,
            ) and not new_name:
                return self._scaled_move(tensor, source_tensor)
        theirs = sorted({f"{s.kind or s.optimizer} {s.slot}" for s in self._slots.get(left, ())})
        return (
            f"the target's optimizer has {tensor.kind or tensor.optimizer} {tensor.slot}; "
            f"the source has {', '.join(theirs) or 'no slots of these variables'}. "
            + (f"{_IDLE} --keep with their names. " if _may_idle(tensor) else "")
            + "Pair slots with --slot=OLD=NEW, keep the template's with --keep, or carry only "
            "weights with --weights-only."
        )

    def _scaled_move(self, tensor: Stored, source_tensor: Stored) -> Move | str:
        try:
            factor = slots.scale(
                tensor.kind,
                slots.convention_of(
                    source_tensor.optimizer,
                    "keras" if source_tensor.of_keras else self._source.convention,
                ),
                slots.convention_of(
                    tensor.optimizer, "keras" if tensor.of_keras else self._convention
                ),
                self._options.learning_rate,
            )
        except cli.UsageError as error:
            self._used_names.add(source_tensor.name)
            return str(error)
        return self._checked_move(tensor, source_tensor, factor)

    def _average(self, tensor: Stored) -> Move | str:
        left = self._left_of.get(tensor.owner)
        if self._options.weights_only or left is None:
            return Move(tensor)
        if left not in self._averages:
            return "the source has no moving averages of them: --keep keeps the template's."
        return self._checked_move(tensor, self._averages[left])

    def _steps(self, tensor: Stored) -> Move | str:
        if self._options.weights_only:
            return Move(tensor)
        if self._step is None:
            return "the source has no step: give --step=N, --keep or --weights-only."
        return Move(tensor, value=self._step)

    def _power(self, tensor: Stored) -> Move | str:
        if self._options.weights_only:
            return Move(tensor)
        for source_tensor in self._source.of(Role.POWER):
            if (source_tensor.slot, source_tensor.optimizer) == (tensor.slot, tensor.optimizer):
                return self._checked_move(tensor, source_tensor)
        if self._step is None:
            return "the source has no step: give --step=N or --keep."
        beta = self._beta(tensor.slot)
        self._plan.notes.append(f"{tensor.name} is {beta:g} to the power of {self._step + 1}.")
        return Move(tensor, value=slots.power(beta, self._step))

    def _beta(self, name: str) -> float:
        """Returns a hyperparameter of Adam: from the options, from the source, or the default."""
        value = self._options.beta_1 if name == "beta_1" else self._options.beta_2
        if value is not None:
            return value
        for tensor in self._source.of(Role.SETTING):
            if tensor.slot == name:
                return float(self._source.read(tensor))
        return {"beta_1": 0.9, "beta_2": 0.999}[name]

    def _check_unused(self) -> None:
        """Reports tensors of the source that have no place in the target."""
        unused: dict[str, list[str]] = {}
        left_out = self._options.leave_out
        tensor_map = self._plan.tensor_map
        left_out_variables = {
            *tensor_map.left_out,
            *tensor_map.only_left,
            *tensor_map.ambiguous,
        } | {
            tensor.name
            for tensor in self._source.of(Role.VARIABLE)
            if matches(tensor.name, left_out)
        }
        for tensor in self._source.stored:
            if (
                tensor.name in self._used_names
                or matches(tensor.name, left_out)
                or tensor.owner in left_out_variables
            ):
                continue
            if tensor.role is Role.SLOT:
                label = f"{tensor.kind or tensor.optimizer} {tensor.slot}".strip() or "place for it"
                why = f"the target has no {label}. {_way_out(tensor)}"
                unused.setdefault(why, []).append(tensor.name)
            elif tensor.role is Role.AVERAGE and not self._options.use_averages:
                why = (
                    "the target has no moving averages. --use-averages takes them for the weights; "
                    f"--leave-out='*/{tensor.name.rpartition('/')[2]}' leaves them out."
                )
                unused.setdefault(why, []).append(tensor.name)
        for why, tensor_names in unused.items():
            self._problem(f"{_some(tensor_names)}: {why}")
        has_steps = any(tensor.role is Role.STEP for tensor in self._target)
        if self._step is not None and not has_steps:
            names = [tensor.name for tensor in self._source.of(Role.STEP)]
            if not all(matches(name, left_out) for name in names):
                self._problem(
                    f"the step ({self._step}) has no place in the target, which has no optimizer "
                    "state: add --weights-only."
                )

    def _check_powers(self) -> None:
        """Reports beta powers of v1's Adam that do not fit the step."""
        for tensor in self._source.of(Role.POWER):
            is_settled = tensor.name in self._used_names or matches(
                tensor.name, self._options.leave_out
            )
            if is_settled or self._step is None:
                continue
            try:
                value = float(self._source.read(tensor))
                slots.check_power(tensor.name, value, self._beta(tensor.slot), self._step)
            except cli.UsageError as error:
                self._problem(str(error))


def _may_idle(tensor: Stored) -> bool:
    """Returns true for a slot that optimizers create even if they do not use it."""
    return tensor.slot == "momentum" and tensor.kind in ("Momentum", "RMSProp")


def _way_out(tensor: Stored) -> str:
    if not tensor.slot:
        return "The variable of this state is unknown: --weights-only or --leave-out drop it."
    if _may_idle(tensor):
        return f"{_IDLE} --leave-out with their names."
    if tensor.kind:
        return "Add --leave-out or --weights-only to drop it."
    return f"Pair it with --slot={tensor.slot}=OURS, or drop it with --leave-out or --weights-only."


def _some(names: Sequence[str], limit: int = 3) -> str:
    suffix = f" and {len(names) - limit} more" if names[limit:] else ""
    return ", ".join(names[:limit]) + suffix
