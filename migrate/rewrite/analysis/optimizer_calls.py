"""Maps the optimizers of tf.train to their Keras counterparts.

>>> keras_arguments(OPTIMIZERS["AdamOptimizer"], {"learning_rate": "0.1", "beta1": "0.8"})
['learning_rate=0.1', 'beta_1=0.8', 'epsilon=1e-08']
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Optimizer(NamedTuple):
    """An optimizer of tf.train, and its Keras counterpart.

    Attributes:
      keras: Class of the Keras optimizer.
      parameters: Parameters of the tf.train optimizer, in order.
      renamed: Keras' names of parameters. None for a parameter that Keras does not have.
      defaults: Arguments to write out, because Keras has another default.
      reason: Reason why it does not compute the same, or "" if it does.
    """

    keras: str
    parameters: tuple[str, ...]
    renamed: dict[str, str | None]
    defaults: dict[str, str]
    reason: str = ""


_PLAIN: dict[str, str | None] = {"use_locking": None, "name": None}
_BETAS = {"beta1": "beta_1", "beta2": "beta_2"}
RATE = "learning_rate"
OPTIMIZERS = {
    "AdadeltaOptimizer": Optimizer(
        "Adadelta", (RATE, "rho", "epsilon", *_PLAIN), _PLAIN, {"epsilon": "1e-08"}
    ),
    "AdagradOptimizer": Optimizer(
        "Adagrad",
        (RATE, "initial_accumulator_value", *_PLAIN),
        _PLAIN,
        {"initial_accumulator_value": "0.1", "epsilon": "0.0"},
    ),
    "AdamOptimizer": Optimizer(
        "Adam",
        (RATE, "beta1", "beta2", "epsilon", *_PLAIN),
        {**_PLAIN, **_BETAS},
        {"epsilon": "1e-08"},
    ),
    "FtrlOptimizer": Optimizer(
        "Ftrl",
        (
            RATE,
            "learning_rate_power",
            "initial_accumulator_value",
            "l1_regularization_strength",
            "l2_regularization_strength",
            *_PLAIN,
        ),
        _PLAIN,
        {},
    ),
    "GradientDescentOptimizer": Optimizer("SGD", (RATE, *_PLAIN), _PLAIN, {}),
    "MomentumOptimizer": Optimizer(
        "SGD",
        (RATE, "momentum", *_PLAIN, "use_nesterov"),
        {**_PLAIN, "use_nesterov": "nesterov"},
        {},
        "Keras includes the learning rate in the momentum, so results differ if the rate changes",
    ),
    "RMSPropOptimizer": Optimizer(
        "RMSprop",
        (RATE, "decay", "momentum", "epsilon", "use_locking", "centered", "name"),
        {**_PLAIN, "decay": "rho"},
        {"epsilon": "1e-10"},
        "tf.train starts the mean of squares at 1, and Keras at 0",
    ),
}

_ADAM = OPTIMIZERS["AdamOptimizer"]
# Optimizers of tf.contrib.opt. Their counterparts are in CLASSIC.
CONTRIB = {
    "AdamWOptimizer": _ADAM._replace(
        keras="AdamW", parameters=("weight_decay", *_ADAM.parameters), defaults={}
    ),
    "LazyAdamOptimizer": _ADAM._replace(keras="LazyAdam", defaults={}),
}

# Classes of modern.optimizers.classic that take the same steps, and their names of parameters.
CLASSIC: dict[str, tuple[str, dict[str, str]]] = {
    "AdamWOptimizer": ("AdamW", _BETAS),
    "LazyAdamOptimizer": ("LazyAdam", _BETAS),
    "MomentumOptimizer": ("Momentum", {}),
    "RMSPropOptimizer": ("RMSProp", {"decay": "decay_rate"}),
}

# By the decay's name: the Keras class, and the parameters of the decay.
DECAYS = {
    "exponential_decay": (
        "ExponentialDecay",
        ("learning_rate", "global_step", "decay_steps", "decay_rate", "staircase"),
    ),
    "inverse_time_decay": (
        "InverseTimeDecay",
        ("learning_rate", "global_step", "decay_steps", "decay_rate", "staircase"),
    ),
    "polynomial_decay": (
        "PolynomialDecay",
        (
            "learning_rate",
            "global_step",
            "decay_steps",
            "end_learning_rate",
            "power",
            "cycle",
        ),
    ),
    "cosine_decay": ("CosineDecay", ("learning_rate", "global_step", "decay_steps", "alpha")),
    "cosine_decay_restarts": (
        "CosineDecayRestarts",
        ("learning_rate", "global_step", "first_decay_steps", "t_mul", "m_mul", "alpha"),
    ),
    "natural_exp_decay": (
        "ExponentialDecay",
        ("learning_rate", "global_step", "decay_steps", "decay_rate", "staircase"),
    ),
    "piecewise_constant": ("PiecewiseConstantDecay", ("x", "boundaries", "values")),
    "piecewise_constant_decay": ("PiecewiseConstantDecay", ("x", "boundaries", "values")),
}
# Functions that return the step of the training.
STEPS = tuple(
    f"tf.{module}.{name}"
    for module in ("contrib.framework", "train")
    for name in ("get_global_step", "get_or_create_global_step")
)


def decay_arguments(name: str, texts: Mapping[str, str], tensorflow: str) -> list[str]:
    """Returns the arguments of the Keras schedule for a decay of tf.train.

    Args:
      name: Name of the decay.
      texts: Its arguments without the step, by the names of its parameters.
      tensorflow: Name of TensorFlow's module.
    """
    parts = dict(texts)
    if name == "natural_exp_decay" and "decay_rate" in parts:
        rate = parts["decay_rate"]
        is_atom = rate.replace(".", "").replace("_", "").isalnum()
        parts["decay_rate"] = f"{tensorflow}.exp(-{rate if is_atom else f'({rate})'})"
    names = {RATE: "initial_learning_rate"}
    return [f"{names.get(key, key)}={text}" for key, text in parts.items()]


def keras_arguments(optimizer: Optimizer, texts: Mapping[str, str]) -> list[str]:
    """Returns the arguments of the Keras optimizer, with the defaults of tf.train written out.

    Args:
      optimizer: The optimizer.
      texts: Its arguments, by the names of its tf.train parameters.
    """
    parts = {}
    for name, text in texts.items():
        new = optimizer.renamed.get(name, name)
        if new is not None:
            parts[new] = text
    if RATE not in texts:
        parts = {RATE: "0.001", **parts}
    parts.update({name: text for name, text in optimizer.defaults.items() if name not in parts})
    return [f"{name}={text}" for name, text in parts.items()]
