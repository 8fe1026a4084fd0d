"""Refuses subinterpreters: the native module has one state for the whole process."""

import importlib


def _check() -> None:
    # The module has had two names since Python 3.7.
    for name in ("_interpreters", "_xxsubinterpreters"):
        try:
            interpreters = importlib.import_module(name)
        except ImportError:
            continue
        if interpreters.get_current() != interpreters.get_main():
            raise ImportError("boxwood cannot be imported in a subinterpreter: import it in the main interpreter")
        return


_check()
