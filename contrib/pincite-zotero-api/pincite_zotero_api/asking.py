"""Lists of the API, whole: page by page, with patience where the server asks for it. Only GET is used, and no other server is asked."""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from time import sleep, time
from typing import Any
from urllib.parse import urlsplit

import requests
import urllib3

from pincite.errors import PinciteError
from pincite_zotero_api.account import Account

PAGE = 100
"""Entries of a page: the most that the API gives."""
CONNECT, READ = 10.0, 60.0
"""Seconds to reach the server, and between two pieces of an answer."""
TRIES = 4
READINGS = 3
LONGEST_WAIT = 60.0
"""Seconds that the server may ask to be left alone for."""
KEYS = "https://www.zotero.org/settings/keys"


_SILENCE = (
    (requests.exceptions.SSLError, "its certificate is not accepted"),
    (requests.exceptions.ProxyError, "the proxy does not lead there"),
    (requests.exceptions.ReadTimeout, f"nothing came for {READ:.0f} s"),
    (requests.exceptions.ConnectTimeout, f"no connection within {CONNECT:.0f} s"),
    (requests.exceptions.ConnectionError, "it cannot be reached"),
)
"""What went wrong → in words, the first that is meant."""


class _KeyAlone(requests.auth.AuthBase):
    """Sends the key, or nothing: requests would take a password out of ~/.netrc."""

    def __init__(self, key: str) -> None:
        self.key = key

    def __call__(self, request: Any) -> Any:
        if self.key:
            request.headers["Authorization"] = f"Bearer {self.key}"
        return request


class Asking:
    """Questions to one library."""

    def __init__(self, account: Account, key: str) -> None:
        self.account = account
        self.key = key

    def everything(self, what: str) -> list[Mapping[str, Any]]:
        """All entries of a list, as they were at one moment. A list that is not whole is an error: what is not in it would be taken
        for deleted."""
        with requests.Session() as session:
            session.trust_env = not self.account.here  # a proxy has no business between this machine and itself
            session.auth = _KeyAlone(self.key)
            session.headers["Zotero-API-Version"] = "3"
            for _ in range(READINGS):
                found, whole = self._reading(session, what)
                if whole:
                    return found
        raise PinciteError(
            f"{self.account.url}: the {what} of the library change while they are read; index again when it is at rest"
        )

    def _reading(self, session: requests.Session, what: str) -> tuple[list[Mapping[str, Any]], bool]:
        """The entries, and whether the library stayed as it was and gave as many as it has."""
        found: list[Mapping[str, Any]] = []
        versions = set()
        while True:
            response = self._asked(session, f"{what}?limit={PAGE}&sort=dateAdded&direction=asc&start={len(found)}")
            page = _list(response, self.account.url)
            found += page
            versions.add(response.headers.get("Last-Modified-Version"))
            total = response.headers.get("Total-Results", "")
            if not page or (total.isdecimal() and len(found) >= int(total)):
                return found, len(versions) == 1 and (not total.isdecimal() or len(found) == int(total))

    def _asked(self, session: requests.Session, what: str) -> requests.Response:
        for tried in range(1, TRIES + 1):
            try:
                response = session.get(f"{self.account.base}/{what}", timeout=(CONNECT, READ), allow_redirects=False)
            except (requests.RequestException, OSError, ValueError) as error:
                if tried == TRIES or not _hung_up(error):
                    raise self._silent(error) from None
                sleep(2.0 ** (tried - 1))
                continue
            if tried < TRIES and (response.status_code == 429 or response.status_code >= 500):
                self._wait(_seconds(response.headers.get("Retry-After", ""), 2.0 ** (tried - 1)))
                continue
            if response.status_code != 200:
                raise self._refused(response)
            if wait := _seconds(response.headers.get("Backoff", ""), 0.0):
                self._wait(wait)
            return response
        raise AssertionError("the last try returns or raises")

    def _wait(self, seconds: float) -> None:
        if seconds > LONGEST_WAIT:
            raise PinciteError(
                f"{self.account.url}: Zotero asks to be left alone for {seconds:.0f} s; index again after that"
            )
        sleep(seconds)

    def _silent(self, error: Exception) -> PinciteError:
        said = next((words for kind, words in _SILENCE if isinstance(error, kind)), type(error).__name__)
        said = "it hangs up in the middle" if _hung_up(error) else said
        remedy = "is the desktop running?" if self.account.here else "is there a network? index again later"
        return PinciteError(f"{self.account.url}: Zotero does not answer: {said}; {remedy}")

    def _refused(self, response: requests.Response) -> PinciteError:
        """What a status means here, and what helps."""
        account, status = self.account, response.status_code
        library = f"the library of {account.type} {account.library}"
        if status in (401, 403) and account.here:
            said = (
                "the desktop lets nobody ask; switch on Settings > Advanced > Allow other applications on this computer"
            )
        elif status in (401, 403) and self.key:
            said = f"the key in {account.key_env} may not read {library}; give it that right at {KEYS}"
        elif status in (401, 403):
            said = f"{library} is private; make a key at {KEYS}, and name its variable as key_env"
        elif status == 404:
            said = f"{library} is not there; correct 'library' and 'type', or 'url'"
        elif 300 <= status < 400:
            host = urlsplit(response.headers.get("Location", "")).hostname or "another address"
            said = f"is sent on to {host}, which was not asked; write that as 'url' if it is the one you mean"
        elif status == 429:
            said = "Zotero still asks to be left alone; index again in some minutes"
        else:
            said = f"Zotero answers {status} {response.reason}; index again later"
        return PinciteError(f"{account.url}: {said}")


def _hung_up(error: Exception) -> bool:
    return bool(error.args) and isinstance(error.args[0], urllib3.exceptions.ProtocolError)


def _list(response: requests.Response, url: str) -> list[Mapping[str, Any]]:
    try:
        page = response.json()
    except (ValueError, RecursionError):
        page = None
    if not isinstance(page, list) or not all(isinstance(one, dict) for one in page):
        raise PinciteError(f"{url}: gave no list in JSON; is this Zotero's API? the desktop's ends in /api")
    return page


def _seconds(header: str, otherwise: float) -> float:
    """What Retry-After or Backoff say: seconds, or a date (RFC 9110, §10.2.3)."""
    header = header.strip()
    if header.isascii() and header.isdecimal():
        return float(header[:9])
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time())
    except (TypeError, ValueError):
        return otherwise
