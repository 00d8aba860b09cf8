"""Set-up of the tests: a compile cache for each state of the kernels, Hypothesis profiles."""

import hashlib
import os
from pathlib import Path

ROOT = Path(__file__).parent.parent

if "NUMBA_CACHE_DIR" not in os.environ:
    # Numba does not see that a kernel changed when only its callers elsewhere are cached.
    sources = sorted((ROOT / "src/camelodds/kernels").glob("*.py"))
    key = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]
    os.environ["NUMBA_CACHE_DIR"] = str(ROOT / ".cache" / "numba" / key)

from hypothesis import HealthCheck, settings  # noqa: E402  (numba must not be imported before)

# The first call of a kernel compiles it, which no deadline allows for.
settings.register_profile(
    "camelodds", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
settings.load_profile("camelodds")
