# kind: imports
import logging
from pprint import pprint
logger = logging.getLogger(__name__)

weights = {"w0": 0.5, "w1": -0.5}
logger.debug("weights %s", weights)
pprint(weights)
