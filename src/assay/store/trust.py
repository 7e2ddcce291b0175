"""Whether the agent that a result folder names may be opened: only if this user opened it on this machine.

To open an agent may mean to run a command, and a folder may come from anybody. So `run.json` carries a tag: a
keyed hash of the agent's name, under a secret that is drawn once per user and kept outside of all folders. A
tag cannot be made without the secret. One that is copied to another folder vouches for the same agent only,
which this user has already run.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from assay.core.visible import visible
from assay.errors import InputError

TAG = "made_here"
KEY_BYTES = 32
"""As many as the hash has: more would add nothing."""
SHOWN = 2000
"""So many characters of a command are shown; one that is longer hides something."""


def tag(spec: str) -> dict[str, str]:
    """The member of `run.json` that vouches for the agent; none, if no secret can be kept."""
    with suppress(OSError, RuntimeError):  # no home, or one that cannot be written to
        return {TAG: _tag(_key(), spec)}
    return {}


def trusted_agent(options: Mapping[str, Any]) -> str:
    """The agent that `run.json` names, if this user's run named it; else an `InputError` that shows it."""
    spec = named_agent(options)
    with suppress(OSError, RuntimeError):
        if hmac.compare_digest(_tag(_key(), spec).encode(), str(options.get(TAG)).encode(errors="replace")):
            return spec
    raise InputError(
        f"the folder names an agent that you have not run here: {visible(spec, SHOWN)} "
        "- if you want to run that, add --trust; else name the agent with --agent"
    )


def named_agent(options: Mapping[str, Any]) -> str:
    spec = options.get("agent")
    if not isinstance(spec, str) or not spec:
        raise InputError("run.json does not say which agent the run was about: name it with --agent")
    return spec


def _tag(key: bytes, spec: str) -> str:
    return hmac.new(key, spec.encode(errors="surrogatepass"), hashlib.sha256).hexdigest()


def _key() -> bytes:
    """The user's secret, drawn when it is first needed."""
    path = _state() / "assay" / "key"
    if not path.exists():
        _draw(path)
    key = path.read_bytes()
    if len(key) != KEY_BYTES:
        raise OSError(f"{path} holds no key")
    return key


def _draw(path: Path) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(FileExistsError):
        drawn = path.with_name(f"key.{os.getpid()}")
        with os.fdopen(os.open(drawn, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as stream:
            stream.write(secrets.token_bytes(KEY_BYTES))
        try:
            os.link(drawn, path)  # whole or not at all, and never over one that is there
        finally:
            drawn.unlink()


def _state() -> Path:
    """Where programs keep what is theirs, for this user."""
    if told := os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA"):
        return Path(told)
    return Path.home() / ".local" / "state"
