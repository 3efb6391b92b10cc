"""Trains mnist_cnn with PyTorch's DistributedDataParallel over gloo, in a cluster of workers.

    TF_CONFIG=... PYTHON benchmarks/baselines/pytorch_ddp.py MNIST_NPZ OUTPUT_JSON [STEPS]

PYTHON has PyTorch. Worker 0 writes the examples of all workers in the steady part of
the training, and its times. Each worker computes in
one thread, as torchrun has it. This program does not use this toolkit.
"""

import json
import os
import sys
import time

import numpy as np
import torch
from torch import distributed, nn

BATCH_SIZE = 64  # Of each worker.
STEPS, WARMUP_STEPS = 750, 150


def model() -> nn.Module:
    """Returns the model of the guides."""
    return nn.Sequential(
        nn.Conv2d(1, 32, 3),
        nn.ReLU(),
        nn.Flatten(),
        nn.Linear(32 * 26 * 26, 128),
        nn.ReLU(),
        nn.Linear(128, 10),
    )


def main(path: str, output: str, steps: str = str(STEPS)) -> None:
    """Trains as this worker."""
    torch.set_num_threads(1)
    config = json.loads(os.environ["TF_CONFIG"])
    workers, rank = config["cluster"]["worker"], config["task"]["index"]
    distributed.init_process_group(
        "gloo", init_method=f"tcp://{workers[0]}", rank=rank, world_size=len(workers)
    )
    with np.load(path) as arrays:
        images = torch.from_numpy(arrays["x_train"] / np.float32(255)).unsqueeze(1)
        labels = torch.from_numpy(arrays["y_train"].astype(np.int64))
    parallel = nn.parallel.DistributedDataParallel(model())
    optimizer = torch.optim.SGD(parallel.parameters(), 0.001)
    loss_of = nn.CrossEntropyLoss()
    order = torch.randperm(len(labels))
    start = 0.0
    for step in range(int(steps)):
        if step == WARMUP_STEPS:
            start = time.time()
        first = step * BATCH_SIZE % (len(labels) - BATCH_SIZE)
        batch = order[first : first + BATCH_SIZE]
        optimizer.zero_grad(set_to_none=True)
        loss_of(parallel(images[batch]), labels[batch]).backward()
        optimizer.step()
    end = time.time()
    if rank == 0:
        examples = (int(steps) - WARMUP_STEPS) * BATCH_SIZE * len(workers)
        with open(output, "w") as file:
            json.dump({"examples": examples, "start": start, "end": end}, file)
    distributed.destroy_process_group()


if __name__ == "__main__":
    main(*sys.argv[1:])
