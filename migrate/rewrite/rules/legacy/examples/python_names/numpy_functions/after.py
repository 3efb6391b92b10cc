import numpy as np
rows = {"a": np.ones(2), "b": np.zeros(2)}
x = np.reshape([[1, 2]], (2, 1)).tolist()
y = np.asarray(np.array([3])).item()
z = [
    np.percentile([1, 2, 4], 60, method="lower"),
    np.hstack([row * 2 for row in rows.values()]).tolist(),
    np.vstack([row for row in rows.values()]).tolist(),
    np.stack(list(rows.values()), axis=1).tolist(),
    np.stack(list(map(np.sqrt, [np.ones(2)]))).tolist(),
    np.frombuffer(np.arange(3).tobytes(), dtype=np.int64).copy().tolist(),
    np.fromstring("1 2", sep=" ").tolist(),
    [np.trapezoid([1, 2]), np.inf > 0, len([1])],
]
