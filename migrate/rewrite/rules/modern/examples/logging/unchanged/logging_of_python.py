import logging
logging.info('x')
x = logging.INFO
