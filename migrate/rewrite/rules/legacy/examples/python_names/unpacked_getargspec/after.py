import inspect
def f(a, b=1, **c):
    return a
spec = inspect.getfullargspec(f)
x = inspect.getfullargspec(f).args
y = spec.varkw, spec.defaults
z, _, _, _ = inspect.getfullargspec(f)[:4]
