"""Marionette, the protocol of Firefox for drivers, as a connection of Selenium.

Selenium talks HTTP to geckodriver, which translates it to Marionette. Debian has no geckodriver.
"""

from __future__ import annotations

import json
import socket
from typing import Any, Final

from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.command import Command
from selenium.webdriver.remote.remote_connection import RemoteConnection

#: The most seconds that a command takes.
SECONDS: Final = 60
#: The commands of Marionette by the commands of Selenium that the scenarios use.
COMMANDS: Final = {
    Command.NEW_SESSION: "NewSession",
    Command.QUIT: "DeleteSession",
    Command.SET_TIMEOUTS: "SetTimeouts",
    Command.GET: "Navigate",
    Command.GO_BACK: "Back",
    Command.REFRESH: "Refresh",
    Command.GET_CURRENT_URL: "GetCurrentURL",
    Command.W3C_GET_CURRENT_WINDOW_HANDLE: "GetWindowHandle",
    Command.SET_WINDOW_RECT: "SetWindowRect",
    Command.W3C_EXECUTE_SCRIPT: "ExecuteScript",
    Command.W3C_EXECUTE_SCRIPT_ASYNC: "ExecuteAsyncScript",
    Command.SEND_KEYS_TO_ELEMENT: "ElementSendKeys",
    Command.CLICK_ELEMENT: "ElementClick",
    Command.GET_ELEMENT_TEXT: "GetElementText",
    Command.GET_ELEMENT_PROPERTY: "GetElementProperty",
    Command.W3C_ACTIONS: "PerformActions",
    Command.GET_ALL_COOKIES: "GetCookies",
    Command.ADD_COOKIE: "AddCookie",
    Command.SCREENSHOT: "TakeScreenshot",
    Command.PRINT_PAGE: "Print",
}


class MarionetteConnection(RemoteConnection):
    """A connection to a Firefox on this machine."""

    def __init__(self, port: int) -> None:
        """Connect to the port and read the greeting."""
        super().__init__(client_config=ClientConfig(f"http://127.0.0.1:{port}"))
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
        self._file = self._socket.makefile("rb")
        self._read()

    def execute(self, command: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send a command and return its result in the form of an HTTP response."""
        content = {name: value for name, value in params.items() if name != "sessionId"}
        if command == Command.NEW_SESSION:
            content = params["capabilities"]["alwaysMatch"]
        message = json.dumps([0, 1, f"WebDriver:{COMMANDS[command]}", content]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _kind, _number, error, result = self._read()
        if error:
            return {"status": error["error"], "value": error, "message": error["message"]}
        is_value = isinstance(result, dict) and [*result] == ["value"]
        return {"value": result["value"] if is_value else result}

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()

    def _read(self) -> Any:
        """Return a message, which its length in bytes precedes."""
        length = b""
        while (byte := self._file.read(1)) != b":":
            length += byte
        return json.loads(self._file.read(int(length)))
