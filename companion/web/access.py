"""Who may see and do what: signed short sessions, the pairing code that the table shows, the PIN of the score.

A session is a cookie ``id.level.expiry.signature``; nothing about it is kept. The key is made anew at every start of
the program, so sessions never outlive it. A code is shown at the table only after somebody asked for one; it is good
for two minutes, one visitor and five tries. Wrong codes and PINs are counted for all visitors together, so that nobody
gains by coming from many addresses. Time is that of the running machine: whoever sets its clock lengthens no session.
"""

import hashlib
import hmac
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from companion.web.limits import Allowance, Limiter

CODE_S = 120.0
TRIES = 5
GUEST_S = 24 * 3600.0
WRONG = Allowance(per_s=1 / 30, burst=20)
"""Wrong codes, and wrong PINs, of all visitors together: all 10,000 PINs of four digits take three days."""


class Level(IntEnum):
    """What a visitor may do."""

    STRANGER = 0
    """Nothing but to give the PIN."""
    GUEST = 1
    """See board and score."""
    PAIRED = 2
    """See pictures and names, and change things."""


@dataclass(frozen=True)
class Session:
    """One visitor; ``token`` is the cookie's value."""

    id: str
    level: Level
    expires: int
    token: str


class Access:
    """Makes and checks sessions, codes and the tokens that protect against forged requests (CSRF)."""

    def __init__(
        self,
        show_code: Callable[[str], None],
        pin: str | None = None,
        session_s: float = 7200.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._key = secrets.token_bytes(32)
        self._show_code = show_code
        self._pin = pin
        self._session_s = session_s
        self._clock = clock
        self._lock = threading.Lock()
        self._code: str | None = None
        self._code_until = 0.0
        self._tries = 0
        self._wrong = Limiter(WRONG, clock)

    @property
    def first_level(self) -> Level:
        """What a visitor may do who has told nothing."""
        return Level.GUEST if self._pin is None else Level.STRANGER

    def issue(self, level: Level) -> Session:
        """A new session."""
        life = self._session_s if level is Level.PAIRED else GUEST_S
        return self._signed(secrets.token_urlsafe(12), level, int(self._clock() + life))

    def read(self, token: str) -> Session | None:
        """The session of a cookie, None when it is forged, damaged or too old."""
        parts = token.split(".")
        if len(parts) != 4 or not parts[1].isdecimal() or not parts[2].isdecimal() or not token.isascii():
            return None
        if int(parts[1][:3]) not in list(Level) or len(parts[2]) > 12:
            return None
        session = self._signed(parts[0], Level(int(parts[1])), int(parts[2]))
        good = hmac.compare_digest(session.token.encode(), token.encode())
        return session if good and self.lasts(session) else None

    def csrf(self, session: Session) -> str:
        """The token that a page of this session must send with every change."""
        return self._mac(f"csrf {session.id}")

    def is_csrf(self, session: Session, token: str) -> bool:
        """Whether the token belongs to the session."""
        return hmac.compare_digest(self.csrf(session).encode(), token.encode("utf-8", "replace"))

    def ask(self) -> None:
        """Show a code at the table; while one is good, the same again."""
        with self._lock:
            if self._code is None or self._clock() >= self._code_until:
                self._code = f"{secrets.randbelow(10**6):06d}"
                self._code_until = self._clock() + CODE_S
                self._tries = 0
            code = self._code
        self._show_code(code)

    def pair(self, code: str) -> Session | None:
        """A paired session for the code at the table, None for any other."""
        with self._lock:
            if self._code is None or self._clock() >= self._code_until or not self._wrong.would_admit("code"):
                return None
            self._tries += 1
            good = hmac.compare_digest(self._code.encode(), code.encode("utf-8", "replace"))
            if good or self._tries >= TRIES:
                self._code = None
            if not good:
                self._wrong.admits("code")
        return self.issue(Level.PAIRED) if good else None

    def unlock(self, pin: str) -> Session | None:
        """A guest's session for the PIN, None for a wrong one."""
        if self._pin is None:
            return self.issue(Level.GUEST)
        with self._lock:
            if not self._wrong.would_admit("pin"):
                return None
            good = hmac.compare_digest(self._pin.encode(), pin.encode("utf-8", "replace"))
            if not good:
                self._wrong.admits("pin")
        return self.issue(Level.GUEST) if good else None

    def lasts(self, session: Session) -> bool:
        """Whether a session that was good has not ended since."""
        return session.expires > self._clock()

    def _signed(self, name: str, level: Level, expires: int) -> Session:
        body = f"{name}.{int(level)}.{expires}"
        return Session(name, level, expires, f"{body}.{self._mac(body)}")

    def _mac(self, text: str) -> str:
        return hmac.new(self._key, text.encode("utf-8", "replace"), hashlib.sha256).hexdigest()
