import inspect
def f(a, b=1, **c):
    return a
spec = inspect.getargspec(f)
x = inspect.getargspec(f).args
y = spec.keywords, spec.defaults
z, _, _, _ = inspect.getargspec(f)
