"""Runs written cluster files on real schedulers, and forecasts on networks of a given speed.

    make test-engines

`migrate cluster` writes the files. The tests need root and the packages of the engines. Elsewhere
they are skipped, and the reason names what is missing. An engine has a module that starts it, a
fixture in conftest.py, and a file of tests. All engines can share `namespaces` and `written`.

Files in reading order:
namespaces      makes machines of a network on this computer
delays          connects such machines by a switch that delays packets
slurm           starts a SLURM cluster on such machines
compose         starts podman on such a machine, with docker compose as its client
written         writes a job for an engine by `migrate cluster`
dense_model     a model with much communication and little computing
trainings       trains on machines of a network with a given rate or latency
forecast_trial  compares forecasts with such trainings
"""
