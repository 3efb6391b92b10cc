"""Written for NumPy 1.16; prints facts as JSON."""

import json
import threading

import numpy as np

array = np.zeros((2, 2), np.float32)
array.itemset(3, 5.0)
array.itemset((0, 1), 7)
printed = []
thread = threading.Thread(target=lambda: printed.append(str({"loss": np.float32(0.5)})))
thread.start()
thread.join()
FACTS = {
    "names": [np.int is int, np.float_ is np.float64, np.NINF, np.math.pi > 3, np.rank(array)],
    "errors": np.AxisError.__name__,
    "types": str(np.find_common_type([np.float32], [np.int64])),
    "percentile": float(np.percentile([1, 2], 50, interpolation="lower")),
    "histogram": np.histogram([1, 2], bins=1, normed=True)[0].tolist(),
    "reshape": np.reshape([1, 2], newshape=(2, 1)).tolist(),
    "unravel": [int(index) for index in np.unravel_index(3, dims=(2, 2))],
    "copy": np.array([1, 2], copy=False).tolist(),
    "ragged": [np.array([[1], [1, 2]]).dtype.str, np.asarray([[1], [1, 2]]).shape],
    "stacked": np.vstack([i] for i in range(2)).tolist(),
    "fromstring": np.fromstring(b"ab", dtype=np.uint8).tolist(),
    "text": np.fromstring("1 2", sep=" ").tolist(),
    "methods": [array.tolist(), float(array.ptp()), len(array.tostring())],
    "slices": np.arange(4)[[slice(1, 3)]].tolist(),
    "one_element": [float(np.ones(1)), int(np.ones((1, 1)))],
    "order": int(np.array([1], np.int16).newbyteorder()[0]),
    "scalar": len(np.float32(1).tostring()),
    "printed": [str({"loss": np.float32(0.5)}), *printed],
}
print(json.dumps(FACTS))
