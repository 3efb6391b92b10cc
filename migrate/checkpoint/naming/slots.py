"""Names of optimizer state in TensorFlow 1.x and in Keras, and the conversion of its values.

    slot_names("RMSProp")          # (("RMSProp", "rms"), ("RMSProp_1", "momentum"))
    slot_names("RMSProp", count=3) # centered: the mean gradient comes second
    scale("Momentum", "v1", "keras", learning_rate=0.1)  # -0.1

All of it was observed in checkpoints that TensorFlow 1.15 and 2.15 wrote, and by continuing a
training from converted state on the other side (tests/migrate/checkpoint/naming/test_slots.py):

| optimizer (v1)  | slots in a v1 checkpoint             | Keras            | value            |
| --------------- | ------------------------------------ | ---------------- | ---------------- |
| GradientDescent, ProximalGradientDescent | none        | SGD: none        |                  |
| Momentum        | Momentum                             | SGD: momentum    | -learning rate × |
| Adam            | Adam, Adam_1, beta1_power, ...       | Adam: m, v       | the same         |
| AdamW           | AdamW, AdamW_1, beta1_power, ...     | Adam: m, v       | the same         |
| Adagrad, ProximalAdagrad | Adagrad, ProximalAdagrad    | Adagrad: accumulator | the same     |
| RMSProp         | RMSProp, RMSProp_1                   | RMSprop: rms, momentum | the same   |
| RMSProp centered | RMSProp, RMSProp_1, RMSProp_2       | rms, mg, momentum | the same        |
| Ftrl            | Ftrl, Ftrl_1                         | Ftrl: accumulator, linear | the same |
| Adadelta        | Adadelta, Adadelta_1                 | accum_grad, accum_var | the same    |

v1's Momentum sums gradients (accum = momentum·accum + grad) and applies the learning rate after
that. Keras' SGD sums steps (m = momentum·m - learning_rate·grad). `modern.optimizers.classic` is a
Keras optimizer with the values of v1.
"""

from __future__ import annotations

import math
from typing import Any

from modern.process import cli

# Canonical slot names by kind, in the order in which v1 numbers them.
_SLOTS = {
    "Momentum": ("momentum",),
    "Adam": ("m", "v"),
    "Adagrad": ("accumulator",),
    "RMSProp": ("rms", "momentum"),
    "Ftrl": ("accumulator", "linear"),
    "Adadelta": ("accum_grad", "accum_var"),
    "GradientDescent": (),
    "ProximalGradientDescent": (),
    "AdagradDA": ("gradient_sum", "squared_gradient_sum"),
}
_CENTERED = ("rms", "mg", "momentum")
# Both have the same state and update it in the same way. The proximal step and the weight decay
# change only the variable.
_SAME_AS = {"AdamW": "Adam", "ProximalAdagrad": "Adagrad"}
# v1's Adam keeps the powers of its betas in these variables.
POWERS = ("beta1_power", "beta2_power")
AVERAGE = "ExponentialMovingAverage"
# Kind and canonical slots by the sorted slot names of a variable in legacy or new tf_keras
# optimizers.
_KERAS_SETS = {
    ("momentum",): ("Momentum", ("momentum",)),
    ("m",): ("Momentum", ("momentum",)),
    ("m", "v"): ("Adam", ("m", "v")),
    ("m", "v", "vhat"): ("Adam", ("m", "v", "vhat")),
    ("accumulator",): ("Adagrad", ("accumulator",)),
    ("accumulator", "linear"): ("Ftrl", ("accumulator", "linear")),
    ("accum_grad", "accum_var"): ("Adadelta", ("accum_grad", "accum_var")),
    ("accumulated_delta_var", "accumulated_grad"): ("Adadelta", ("accum_var", "accum_grad")),
    ("rms",): ("RMSProp", ("rms",)),
    ("momentum", "rms"): ("RMSProp", ("momentum", "rms")),
    ("mg", "rms"): ("RMSProp", ("mg", "rms")),
    ("mg", "momentum", "rms"): ("RMSProp", ("mg", "momentum", "rms")),
    ("velocity",): ("RMSProp", ("rms",)),
    ("momentum", "velocity"): ("RMSProp", ("momentum", "rms")),
    ("average_gradient", "velocity"): ("RMSProp", ("mg", "rms")),
    ("average_gradient", "momentum", "velocity"): ("RMSProp", ("mg", "momentum", "rms")),
}
# Slot names of tf_keras.optimizers.legacy, which also train Estimators of TensorFlow 2.
KERAS_SLOTS = frozenset(
    ("m", "v", "vhat", "momentum", "accumulator", "linear", "rms", "mg", "accum_grad", "accum_var")
)
_KERAS3_ADAM = {"momentum": "m", "velocity": "v", "velocity_hat": "vhat"}
# Name of the optimizers Momentum in modern.optimizers.classic and classic_keras3.
_CLASSIC_MOMENTUM = "Momentum"
_OTHER_ADAMS = ("adamax", "nadam", "lion", "lamb")


def slot_names(optimizer: str, count: int | None = None) -> tuple[tuple[str, str], ...]:
    """Returns the slots of a v1 optimizer: the end of each name in a checkpoint, and Keras' name.

    Args:
      optimizer: v1 class without "Optimizer", which is also the optimizer's default name. In a
        checkpoint, a name that the program chose replaces it.
      count: Number of slots of each variable. Only RMSProp's depends on settings (3: centered).

    Returns:
      Pairs (end of the name, slot of tf_keras.optimizers.legacy), in the order of creation.

    Raises:
      KeyError: The optimizer is not known here.
    """
    canonical = _canonical(optimizer, count)
    return tuple((optimizer + (f"_{i}" if i else ""), slot) for i, slot in enumerate(canonical))


def is_known(optimizer: str) -> bool:
    """Returns true if a v1 optimizer of this (default) name is known."""
    return _SAME_AS.get(optimizer, optimizer) in _SLOTS


def v1_slots(optimizer: str, indices: list[int]) -> dict[int, tuple[str, str]] | None:
    """Identifies the numbered slots of one variable from a v1 optimizer.

    Args:
      optimizer: Class of the optimizer, as for `slot_names`.
      indices: Numbers at the ends of the names. 0 for a name without a number.

    Returns:
      number -> (kind, slot). None if the numbers do not fit one such optimizer, for example if two
      optimizers train the same variable.
    """
    if not is_known(optimizer):
        return None
    canonical = _canonical(optimizer, len(indices))
    if sorted(indices) != list(range(len(canonical))):
        return None
    kind = _SAME_AS.get(optimizer, optimizer)
    return {index: (kind, slot) for index, slot in enumerate(canonical)}


def keras_slots(optimizer: str, names: set[str]) -> dict[str, tuple[str, str]] | None:
    """Identifies the slots of one variable from a Keras optimizer.

    Args:
      optimizer: Name of the optimizer in the names of its variables ("Adam", "rmsprop").
      names: Names of the slots in a legacy optimizer or one of tf_keras.

    Returns:
      name -> (kind, slot), as from `v1_slots`. None for an unknown optimizer.
    """
    if any(word in optimizer.lower() for word in _OTHER_ADAMS):
        return None
    sorted_names = tuple(sorted(names))
    if sorted_names not in _KERAS_SETS:
        return None
    kind, canonical = _KERAS_SETS[sorted_names]
    return {name: (kind, slot) for name, slot in zip(sorted_names, canonical, strict=True)}


def of_keras3(optimizer: str, slot: str) -> str:
    """Returns tf_keras' name for a slot of Keras 3, whose Adam has "momentum" and "velocity".

    Args:
      optimizer: Name of the optimizer in the names of its variables: "adam", "rmsprop".
      slot: Name of the slot in Keras 3.
    """
    return _KERAS3_ADAM.get(slot, slot) if "adam" in optimizer.lower() else slot


def class_name(optimizer: Any) -> str:
    """Returns the name of an optimizer's class, or of the Adam that it extends."""
    names = [cls.__name__ for cls in type(optimizer).__mro__]
    return next((name for name in names if "adam" in name.lower()), names[0])


def v1_suffix(kind: str, slot: str, count: int) -> str:
    """Returns the end of a slot's name in a v1 checkpoint.

    Args:
      kind: Kind of the optimizer, as from `v1_slots`.
      slot: Slot, as from `v1_slots`.
      count: Number of slots of each variable.
    """
    return next(end for end, name in slot_names(kind, count) if name == slot)


def convention_of(optimizer: str, convention: str) -> str:
    """Returns "v1" if a Keras optimizer has the values of v1, as `modern.optimizers.classic` has.

    A checkpoint has no classes, so the name decides. Keras' own SGD is not named "Momentum".

    Args:
      optimizer: Name of the optimizer in the names of its variables: "SGD", "Momentum".
      convention: "v1" or "keras", by the form of the checkpoint.
    """
    return "v1" if optimizer == _CLASSIC_MOMENTUM else convention


def scale(kind: str, source: str, target: str, learning_rate: float | None) -> float | None:
    """Returns the factor for a slot's values in a conversion, or None if they stay the same.

    Args:
      kind: Kind of the optimizer, as from `v1_slots`.
      source: "v1" or "keras".
      target: "v1" or "keras".
      learning_rate: Learning rate of the next step.

    Raises:
      cli.UsageError: The learning rate is needed, but missing or 0.
    """
    if kind != "Momentum" or source == target:
        return None
    if not learning_rate:
        raise cli.UsageError(
            "the momentum slots need --learning-rate=RATE, that of the next step: "
            "tf.train.MomentumOptimizer sums gradients, Keras' SGD sums steps, which are "
            "-learning_rate times as large."
        )
    return -learning_rate if target == "keras" else -1.0 / learning_rate


def power(beta: float, step: int) -> float:
    """Returns a beta power of v1's Adam after `step` steps: beta at first, times beta per step."""
    return beta ** (step + 1)


def check_power(name: str, value: float, beta: float, step: int) -> None:
    """Checks that Adam has taken as many steps as the global step, from which Keras computes it.

    Args:
      name: Name of the beta power, for the message.
      value: Value of the beta power, float32.
      beta: The hyperparameter.
      step: The global step.

    Raises:
      cli.UsageError: The power is not that of this beta after this number of steps.
    """
    smallest = 1.2e-38  # Below this, float32 flushes to 0 or loses digits.
    if power(beta, step) < smallest:
        if value < smallest * 10:
            return
    elif value > 0:
        steps = math.log(value) / math.log(beta) - 1
        # Each step's product is rounded: a relative error of half an ulp (6e-8) per step.
        slack = 0.5 + (step + 1) * 6e-8 / -math.log(beta)
        if abs(steps - step) <= slack:
            return
    hint = (
        f"; with beta {beta:g} it says {round(math.log(value) / math.log(beta)) - 1} steps"
        if 0 < value < 1
        else ""
    )
    raise cli.UsageError(
        f"{name} is {value:g}, which is not {beta:g} to the power of {step + 1} (step {step} and "
        f"one more){hint}. Keras' Adam corrects its bias by the step alone. Give --beta_1 and "
        "--beta_2 if they were not 0.9 and 0.999, or the optimizer's own steps with --step=N."
    )


def _canonical(optimizer: str, count: int | None) -> tuple[str, ...]:
    if optimizer == "RMSProp" and count == len(_CENTERED):
        return _CENTERED
    return _SLOTS[_SAME_AS.get(optimizer, optimizer)]
