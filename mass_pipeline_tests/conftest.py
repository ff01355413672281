"""What holds for every test."""

from __future__ import annotations

import signal

# A background shell starts programs with SIGINT ignored and children inherit that: those that a test starts could not be
# interrupted. A handler of this process is reset to the default in them.
signal.signal(signal.SIGINT, signal.default_int_handler)
