"""``python -m camelodds`` is the command ``camelodds``."""

import sys

from camelodds.cli import main

sys.exit(main())
