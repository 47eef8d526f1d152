"""Words that begin with a hyphen, on the command line (specs/06-query.md)."""

import pytest

from pincite.cli.wording import as_words

VALUED = frozenset({"-l", "--library", "-n", "--tag"})


@pytest.mark.parametrize(
    "args",
    [
        ["-storms", "kelp"],
        ["kelp", "-storms"],
        ["-heat in the street"],
        ['-"after dark" heat'],
        ["- heat"],
        ["kelp", "-ébène"],
        ["kelp", "at", "-80"],
    ],
)
def test_a_word_to_leave_out_is_no_option(args):
    kept = [f" {arg}" if arg.startswith("-") else arg for arg in args]
    assert as_words([*args, "-l", "shelf"], VALUED) == [*kept, "-l", "shelf"]


@pytest.mark.parametrize(
    "args",
    [
        ["-h"],
        ["--json", "kelp"],
        ["-lshelf", "kelp"],
        ["-l/home/ana/My Papers", "kelp"],
        ["-n5", "kelp"],
        ["--tag", "-odd tag", "kelp"],
        ["-l", "-odd folder", "kelp"],
        ["kelp", "--", "-storms"],
        ["-"],
    ],
)
def test_options_and_their_values_stay_what_they_are(args):
    assert as_words(args, VALUED) == args
