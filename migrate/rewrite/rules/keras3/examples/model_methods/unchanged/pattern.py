import re
import tf_keras
x = re.compile("a", re.I)
