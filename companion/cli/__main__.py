"""``python -m companion.cli``: the command line without an installed script."""

import sys

from companion.cli import main

sys.exit(main())
