import numpy as np
rows = {"a": np.ones(2), "b": np.zeros(2)}
x = np.reshape([[1, 2]], newshape=(2, 1)).tolist()
y = np.asscalar(np.array([3]))
z = [
    np.percentile([1, 2, 4], 60, interpolation="lower"),
    np.hstack(row * 2 for row in rows.values()).tolist(),
    np.vstack((row for row in rows.values())).tolist(),
    np.stack(rows.values(), axis=1).tolist(),
    np.stack(map(np.sqrt, [np.ones(2)])).tolist(),
    np.fromstring(np.arange(3).tostring(), dtype=np.int64).tolist(),
    np.fromstring("1 2", sep=" ").tolist(),
    [np.trapz([1, 2]), np.PINF > 0, np.alen([1])],
]
