"""Runs a module in a task with two replicas, which are two logical CPUs.

    python several_devices.py modern.train --strategy=parameter_server ...

TensorFlow gives a task of MultiWorkerMirroredStrategy or of ParameterServerStrategy several
replicas only if it has several GPUs, and no public setting changes that. So this program replaces
the methods of TensorFlow that list a task's devices. Everything else is TensorFlow's own code. Two
things differ from GPUs: the all-reduce is that of CPUs, and no data is copied between devices.
"""

import functools
import runpy
import sys

REPLICAS = 2


def main():
    from modern.cluster import native_server
    from modern.process import quiet_import

    quiet_import.import_tensorflow()
    import tensorflow as tf
    from tensorflow.python.distribute import (
        collective_all_reduce_strategy,
        parameter_server_strategy_v2,
    )

    (cpu,) = tf.config.list_physical_devices("CPU")
    parts = [tf.config.LogicalDeviceConfiguration() for _ in range(REPLICAS)]
    tf.config.set_logical_device_configuration(cpu, parts)

    def local_devices(self, cluster_resolver, worker_device):
        devices = tuple(f"{worker_device}/device:CPU:{i}" for i in range(REPLICAS))
        return devices, "CPU"

    collective_all_reduce_strategy.CollectiveAllReduceExtended._initialize_local_devices = (
        local_devices
    )

    served = parameter_server_strategy_v2.ParameterServerStrategyV2Extended

    def count(self):
        self._num_gpus_per_worker = REPLICAS

    served._set_num_gpus = count
    served.worker_devices = property(
        lambda self: tuple(f"/device:CPU:{i}" for i in range(REPLICAS))
    )
    # A server takes the number of its CPUs only from Python's class.
    native_server.library = lambda folders: None
    config = tf.compat.v1.ConfigProto(device_count={"CPU": REPLICAS})
    tf.distribute.Server = functools.partial(tf.distribute.Server, config=config)

    module = sys.argv.pop(1)
    if module == "migrate.train":
        sys.argv.insert(1, "train")
        module = "migrate"
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
