"""Plugins that reach for what a process has only once: its standard streams, its threads and its end."""

import json
import subprocess

import pytest
from broken_plugins import CALLS, SOUND

LOUD = """
    import os, sys

    STITHY_API = 1
    HEARD = sys.stdin.read()
    print("noise")
    sys.__stdout__.write("noise")
    os.write(1, b"noise")
    os.system("echo noise")
    sys.stdout = None
"""
TALKER = """
    import os, threading

    STITHY_API = 1

    def talk():
        print("noise")
        os.write(1, b"noise")
        threading.Timer(0.001, talk).start()

    talk()
    threading.Thread(target=threading.Event().wait, name="talker").start()
"""
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}


class Wire:
    """A client that takes nothing but JSON lines from the server's standard output."""

    def __init__(self, process):
        self.process = process
        self.sent = 0

    def send(self, method, **params):
        self.sent += 1
        message = {"jsonrpc": "2.0", "id": self.sent, "method": method, "params": params}
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def call(self, tool):
        self.send("tools/call", name=tool, arguments={})
        return self.answer()["structuredContent"]

    def answer(self):
        message = json.loads(self.process.stdout.readline())
        assert message["id"] == self.sent
        return message["result"]

    def close(self):
        """Close the client's end; give what was still written, the exit code and the log."""
        rest, log = self.process.communicate(timeout=60)
        return rest, self.process.returncode, log


@pytest.fixture
def wire(stithy_process, install_plugin):
    """Start a server with a plugin of this source, and one that works; gives the connection to it."""
    command, environ, _ = stithy_process
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    started = []

    def start(source):
        install_plugin("stithy-broken", source)
        install_plugin("stithy-sound", SOUND)
        started.append(subprocess.Popen([*command, "serve"], env=environ, text=True, **pipes))
        made = Wire(started[0])
        made.send("initialize", **HELLO)
        made.answer()
        return made

    yield start
    for process in started:
        process.kill()
        process.communicate()


def row(wire):
    return next(one for one in wire.call("list_plugins")["plugins"] if one["distribution"] == "stithy-broken")


def test_output_of_a_plugins_import_never_reaches_the_protocol(wire):
    """And what stands on the wire never reaches the plugin."""
    connected = wire(LOUD)
    assert connected.call("sound") == {"text": "said"}
    assert row(connected)["state"] == "loaded"
    rest, code, log = connected.close()
    assert (rest, code, log.count("noise")) == ("", 0, 4)


def test_a_plugin_that_exits_is_left_out(wire):
    connected = wire("import sys; sys.exit(3)")
    assert connected.call("sound") == {"text": "said"}
    assert row(connected)["cause"] == "SystemExit: 3"
    assert connected.close()[:2] == ("", 0)


def test_a_thread_of_a_plugin_neither_writes_on_the_wire_nor_keeps_the_server(wire, stithy_process):
    connected = wire(TALKER)
    assert connected.call("sound") == {"text": "said"}
    assert "its import started the thread 'talker'" in " ".join(row(connected)["notes"])
    rest, code, log = connected.close()
    assert (rest, code) == ("", 0)
    assert "Still running, and abandoned: the threads " in log
    assert "talker" in log
    assert "stithy_broken" in stithy_process[2]()  # what is done at the end was done


def test_a_handler_that_hangs_keeps_neither_the_others_nor_the_server(wire):
    connected = wire(CALLS)
    for tool in ("wait", "block"):
        connected.send("tools/call", name=tool, arguments={})
    assert connected.call("sound") == {"text": "said"}
    rest, code, log = connected.close()
    assert [json.loads(line)["error"]["message"] for line in rest.splitlines()] == ["Connection closed"] * 2
    assert code == 0
    assert "abandoned: the threads AnyIO worker thread" in log


@pytest.mark.parametrize("words", [["plugins", "--json"], ["tools", "--json"], ["call", "sound", "--json"]])
def test_an_answer_of_the_command_line_has_nothing_of_what_a_plugin_prints(stithy_process, install_plugin, words):
    install_plugin("stithy-broken", LOUD)
    install_plugin("stithy-sound", SOUND.replace('return Said("', 'print("noise"); return Said("'))
    command, environ, _ = stithy_process
    done = subprocess.run([*command, *words], env=environ, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    assert json.loads(done.stdout)
    assert done.stderr.count("noise") == 4 + (words[0] == "call")


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_a_stream_that_is_closed_is_no_fault(stithy_process, install_plugin, closed):
    install_plugin("stithy-sound", SOUND)
    command, environ, _ = stithy_process
    line = ["sh", "-c", f'exec "$@" {closed}', "sh", *command, "plugins"]
    done = subprocess.run(line, env=environ, capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    assert done.returncode == 0
