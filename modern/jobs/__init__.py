"""The documented trainings, one module each; read each beside its twin in `legacy/jobs`."""
