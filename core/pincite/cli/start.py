"""``pincite``: where the process begins.

Nothing that is imported is garbage: to look through it for some takes a quick command a fiftieth of its time. Whoever needs the garbage
collector turns it on again (`pincite.cli.main.Commands.get_command`).
"""


def main() -> None:
    """Runs the command line."""
    import gc
    import signal
    import sys

    gc.disable()
    try:
        from pincite.cli.main import main as run
    except KeyboardInterrupt:
        forget_interruption()
        sys.stderr.write("pincite: stopped\n")
        raise SystemExit(130) from None
    # whoever ends it otherwise than by Ctrl-C gets the same: the workers are ended too
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    run()


def forget_interruption() -> None:
    """To end with an exit code after an interruption that was caught. CPython remembers one that left code made of a string, as dataclasses
    are, and a module that is run by ``-m`` would end by the signal; it forgets it with the next code of that kind."""
    exec("")


if __name__ == "__main__":
    main()
