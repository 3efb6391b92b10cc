"""Distributed SGD on a softmax regression in NumPy, with defects to plant.

A run takes milliseconds. The reference is one trainer with the global batch. N synchronous trainers
share each global batch and average their gradients. Asynchronous trainers apply gradients that were
computed with stale weights.
"""

import dataclasses

import numpy as np

DEFECTS = ("summed_gradients", "same_shard", "unscaled_rate", "dropped_variable", "shifted_labels")
CLASSES, FEATURES, TRAIN, EVAL = 6, 10, 1920, 600


@dataclasses.dataclass
class Run:
    initial: dict
    weights: dict
    curve: list
    loss: float
    accuracy: float


def _data():
    """Returns the dataset of all seeds. Like most real datasets, it is sorted by class."""
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(CLASSES, FEATURES))
    labels = np.sort(rng.integers(CLASSES, size=TRAIN + EVAL))
    images = centres[labels] + rng.normal(size=(TRAIN + EVAL, FEATURES)) + 0.3
    held_out = np.zeros(TRAIN + EVAL, bool)
    held_out[rng.choice(TRAIN + EVAL, EVAL, replace=False)] = True
    images = images.astype(np.float32)
    return images[~held_out], labels[~held_out], images[held_out], labels[held_out]


def _loss_and_gradient(weights, images, labels):
    logits = images @ weights["kernel"] + weights["bias"]
    logits -= logits.max(axis=1, keepdims=True)
    chances = np.exp(logits)
    chances /= chances.sum(axis=1, keepdims=True)
    rows = np.arange(len(labels))
    loss = -np.mean(np.log(chances[rows, labels] + 1e-12))
    accuracy = np.mean(logits.argmax(axis=1) == labels)
    chances[rows, labels] -= 1
    chances /= len(labels)
    return loss, accuracy, {"kernel": images.T @ chances, "bias": chances.sum(axis=0)}


def train(seed, *, trainers=2, steps=60, batch=32, rate=0.04, asynchronous=False, defect=None):
    """Trains on `steps * trainers * batch` examples.

    Synchronous training multiplies the rate by the number of trainers.
    """
    assert defect is None or defect in DEFECTS
    images, labels, eval_images, eval_labels = _data()
    if defect == "shifted_labels":
        labels = (labels + 1) % CLASSES
    rng = np.random.default_rng(seed)
    initial = {
        "kernel": rng.normal(scale=0.3, size=(FEATURES, CLASSES)).astype(np.float32),
        "bias": np.zeros(CLASSES, np.float32),
    }
    order = np.concatenate([rng.permutation(TRAIN) for _ in range(1 + steps * 2 * batch // TRAIN)])
    weights = {key: value.copy() for key, value in initial.items()}
    frozen = {"bias"} if defect == "dropped_variable" else set()
    whole = trainers * batch
    rate = np.float32(rate * (1 if asynchronous or defect == "unscaled_rate" else trainers))
    timing = np.random.default_rng(seed + 1000)
    stale = [{key: value.copy() for key, value in weights.items()} for _ in range(trainers)]
    curve = []
    for step in range(steps):
        chosen = order[step * whole : (step + 1) * whole]
        losses, gradients = [], []
        for trainer in timing.permutation(trainers) if asynchronous else range(trainers):
            shard = chosen[trainer::trainers]
            if defect == "same_shard":  # every trainer reads the first part
                shard = shard // trainers
            seen = stale[trainer] if asynchronous else weights
            loss, _, gradient = _loss_and_gradient(seen, images[shard], labels[shard])
            losses.append(loss)
            gradients.append(gradient)
            if asynchronous:
                _apply(weights, gradient, rate, frozen)
                stale[trainer] = {key: value.copy() for key, value in weights.items()}
        if not asynchronous:
            combine = np.sum if defect == "summed_gradients" else np.mean
            mean = {key: combine([g[key] for g in gradients], axis=0) for key in weights}
            _apply(weights, mean, rate, frozen)
        curve.append(((step + 1) * whole, float(np.mean(losses))))
    loss, accuracy, _ = _loss_and_gradient(weights, eval_images, eval_labels)
    return Run(initial, weights, curve, float(loss), float(accuracy))


def _apply(weights, gradient, rate, frozen):
    for key in weights.keys() - frozen:
        weights[key] -= rate * gradient[key].astype(np.float32)
