"""tf.contrib.distributions: the classes that TensorFlow took over as tf.distributions.

actions = distributions.Categorical(logits=logits)
loss = -actions.log_prob(taken)
"""

import tensorflow as tf

from legacy.contrib import _missing

_core = tf.compat.v1.distributions

Bernoulli = _core.Bernoulli
Beta = _core.Beta
Categorical = _core.Categorical
Dirichlet = _core.Dirichlet
DirichletMultinomial = _core.DirichletMultinomial
Distribution = _core.Distribution
Exponential = _core.Exponential
FULLY_REPARAMETERIZED = _core.FULLY_REPARAMETERIZED
Gamma = _core.Gamma
Laplace = _core.Laplace
Multinomial = _core.Multinomial
NOT_REPARAMETERIZED = _core.NOT_REPARAMETERIZED
Normal = _core.Normal
RegisterKL = _core.RegisterKL
ReparameterizationType = _core.ReparameterizationType
StudentT = _core.StudentT
Uniform = _core.Uniform
kl_divergence = _core.kl_divergence

__getattr__ = _missing.attribute_of("distributions")

__all__ = [
    "Bernoulli",
    "Beta",
    "Categorical",
    "Dirichlet",
    "DirichletMultinomial",
    "Distribution",
    "Exponential",
    "FULLY_REPARAMETERIZED",
    "Gamma",
    "Laplace",
    "Multinomial",
    "NOT_REPARAMETERIZED",
    "Normal",
    "RegisterKL",
    "ReparameterizationType",
    "StudentT",
    "Uniform",
    "kl_divergence",
]
