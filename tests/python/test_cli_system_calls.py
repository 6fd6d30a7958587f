# SPDX-License-Identifier: Apache-2.0
"""Every system call of every verb fails, alone or with all later ones of its name, or is interrupted by a signal: exit status
and message tell, an output is the old or the new file, and no temporary file stays. `make test` does a slice."""

from __future__ import annotations

import errno
import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_program import DONE, INTERRUPTED, IO, LIMIT, MISMATCH, SANITIZED
from system_calls import CASES, ERRORS, INVISIBLE, Program, make_files

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "reliability"))
from figures import is_measuring, record

pytestmark = pytest.mark.skipif(SANITIZED, reason="a sanitizer makes system calls of its own")


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> Path:
    made = tmp_path_factory.mktemp("files")
    make_files(made)
    return made


@pytest.fixture(params=CASES)
def program(request, files, tmp_path) -> Program:
    return Program(request.param, files, tmp_path / "run")


@pytest.fixture(scope="module")
def counts() -> Iterator[Counter[str]]:
    found: Counter[str] = Counter()
    yield found
    names = [name for name in found if name.startswith("SIG")]
    record("G6", f"{found['failures']:,} failures of system calls in {len(CASES)} commands of every verb, alone and with all later "
                 "calls of the name: status and message report the error, outputs are the old or the new file, no temporary file is left.")
    record("G14", f"{sum(found[name] for name in names):,} signals at system calls ({', '.join(f'{found[name]:,} {name}' for name in names)}): "
                  "the output is the old or the new file; a temporary file stays only after SIGKILL.")


def places(program: Program, turn: int) -> Iterator[tuple[str, int]]:
    """The name and number of each call. In the slice one call of every third name, of others in other cases."""
    names = sorted(program.calls.last)
    for call in names if is_measuring() else names[(list(CASES).index(program.name) + turn) % 3::3]:
        first, last = program.calls.first[call], program.calls.last[call]
        for k in range(first, last + 1) if is_measuring() else [(first + last) // 2] * (first <= last):
            yield call, k


def check_failure(program: Program, call: str, error: str, lasting: bool, k: int) -> bool:
    """Returns whether the call happened."""
    outcome = program.run(f"inject={call}:error={error}:when={k}{'+' * lasting}")
    where = (call, error, k, lasting, outcome.status, outcome.message)
    assert program.is_whole(outcome), (where, sorted(outcome.files))
    assert outcome.status in (DONE, IO, LIMIT) or program.name == "test" and outcome.status == MISMATCH, where
    told = os.strerror(getattr(errno, error))
    if outcome.status == MISMATCH:  # a case that cannot be run has failed
        assert told in json.loads(outcome.output)["cases"][0]["reason"] or "memory" in outcome.output.decode(), where
    elif outcome.status == DONE:
        assert outcome.output == program.sound.output and outcome.files == program.sound.files, where
        assert outcome.message == "", where
    else:
        assert error not in INVISIBLE or lasting, where
        # Nothing can be said where every write fails.
        assert outcome.message.startswith("tesela: ") and outcome.message.count("\n") == 1 or (call == "write" and lasting), where
        assert told in outcome.message or outcome.status == LIMIT or call == "write" and lasting, where
    return outcome.happened()


def test_every_system_call_is_covered(program):
    assert program.calls.names <= ERRORS.keys()


@pytest.mark.parametrize("lasting", [False, True], ids=["once", "from then on"])
def test_failing_system_calls(program, lasting, counts):
    times = 0
    for call, k in places(program, lasting):
        for error in ERRORS[call] if is_measuring() else ERRORS[call][:1]:
            if not (lasting and error == "EINTR"):  # tried again for ever
                times += check_failure(program, call, error, lasting, k)
    counts["failures"] += times


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL], ids=lambda number: number.name)
def test_signals_at_system_calls(program, number, counts):
    times = 0
    for call, k in places(program, number):
        if call in ("exit_group", "rt_sigaction", "rt_sigprocmask"):  # before or after signals are handled
            continue
        outcome = program.run(f"inject={call}:signal={number.name[3:]}:when={k}")
        where = (call, k, outcome.status, outcome.message, sorted(outcome.files))
        if number == signal.SIGKILL:
            temporary = [name for name in outcome.files if Path(name).name.startswith(".")]
            assert len(temporary) <= 1 and outcome.status in (DONE, -signal.SIGKILL), where
            for name in temporary:  # nobody can remove it
                del outcome.files[name]
        else:
            assert outcome.status in (DONE, INTERRUPTED), where
            assert outcome.status == DONE or outcome.message == "tesela: interrupted\n", where
        assert program.is_whole(outcome), where
        times += outcome.happened()
    assert times > 0 or not is_measuring()
    counts[number.name] += times
