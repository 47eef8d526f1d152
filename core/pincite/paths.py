"""Whether something stands at a path that a person named, and may be looked at."""

from __future__ import annotations

import os

from pincite.errors import cannot_be


def stands(path: str | os.PathLike[str]) -> bool:
    """Whether there is anything, be it a link that leads nowhere. Raises `PinciteError` where the system does not say."""
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    except OSError as error:
        raise cannot_be("read", path, error) from None
    return True


def check_listed(path: str | os.PathLike[str]) -> None:
    """Raises `PinciteError` where a folder does not tell what is in it: nothing could be told of what it is a folder of."""
    if not os.path.isdir(path):
        return
    try:
        with os.scandir(path) as entries:
            for entry in entries:
                entry.stat(follow_symlinks=False)
                break
    except FileNotFoundError:
        pass
    except OSError as error:
        raise cannot_be("read", path, error) from None
