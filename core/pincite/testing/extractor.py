"""The contract kit of extractors."""

from __future__ import annotations

import pickle
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, ClassVar

import pytest

from pincite.config.load import validate_section
from pincite.errors import Unreadable
from pincite.testing.kit import Kit
from pincite.testing.packs import same_packs, wrong_pack
from pincite.values.pack import Pack

_ELSEWHERE = """
import pickle, sys
from pathlib import Path
make, path, out = pickle.load(open(sys.argv[1], "rb"))
from pincite.plugin.manager import Plugins
from pincite.config.load import validate_section
from pincite.spec import Context
entry = Plugins().find("extractor", make[0])
made = entry.factory(validate_section(entry.settings, make[1], make[0]), Context(home=Path(make[2])))
pickle.dump(made.extract(Path(path)), open(out, "wb"))
"""


class ExtractorKit(Kit):
    """Subclass it, name the extractor, and write a good file for it in `sample`::

        class TestRtf(ExtractorKit):
            name = "rtf"
            says = "the holdfast grips the rock"

            def sample(self, folder):
                (folder / "kelp.rtf").write_text(r"{\\rtf1 the holdfast grips the rock}")
                return folder / "kelp.rtf"

    `blocks`: the texts of all blocks of the sample in order, white space aside, where you write them down (do: it is what finds
    most). `says`: words that the text of the sample must hold, white space aside. `elsewhere`: whether the same file is also read
    in a process
    of its own (where the plugin is installed).
    """

    kind = "extractor"
    says: ClassVar[str] = ""
    blocks: ClassVar[tuple[str, ...]] = ()
    elsewhere: ClassVar[bool] = True

    def sample(self, folder: Path) -> Path:
        """Writes a file that can be read, and returns its path."""
        raise NotImplementedError(f"{type(self).__name__} must write a file: def sample(self, folder): ...")

    @pytest.fixture
    def file(self, folder: Path) -> Path:
        """The sample."""
        return self.sample(folder)

    @pytest.fixture
    def extractor(self, tmp_path: Path) -> Any:
        """The extractor under test."""
        return self.made(self.context(tmp_path))

    # ------------------------------------------------------------------------------------------ the pack

    def test_gives_a_pack_whose_parts_fit_together(self, extractor: Any, file: Path) -> None:
        pack = extractor.extract(file)
        self.must(isinstance(pack, Pack), f"gives a {type(pack).__name__}, not a Pack")
        wrong = wrong_pack(pack)
        self.must(not wrong, f"gives a pack in which {wrong}")
        self.must(
            pack.extractor == self.name == extractor.name,
            f"signs its packs {pack.extractor!r} and calls itself {extractor.name!r}",
        )
        self.must(
            pack.extractor_version == extractor.version,
            f"signs version {pack.extractor_version}, says version {extractor.version}",
        )
        self.must(pack.source_hash == "", "fills in source_hash, which is not its to know")

    def test_the_text_is_there(self, extractor: Any, file: Path) -> None:
        pack = extractor.extract(file)
        self.must(any(map(str.isalpha, pack.text)), "finds no letter in the sample")
        said = " ".join(" ".join(pack.text[block.start : block.end] for block in pack.blocks).split())
        self.must(
            " ".join(self.says.split()) in said, f"does not find {self.says!r} in the sample; it finds {said[:200]!r}"
        )

    def test_the_blocks_are_those_of_the_sample(self, extractor: Any, file: Path) -> None:
        pack = extractor.extract(file)
        found = tuple(" ".join(pack.text[block.start : block.end].split()) for block in pack.blocks)
        self.must(not self.blocks or found == self.blocks, f"finds the blocks {found}")

    def test_runs_lead_to_the_very_words_in_a_plain_file(self, extractor: Any, file: Path) -> None:
        pack = extractor.extract(file)
        if not pack.runs or any(run.target for run in pack.runs):
            return  # places in a document's own parts
        source = file.read_bytes().decode("utf-8-sig")
        for run in pack.runs:
            here, there = pack.text[run.start : run.end], source[run.offset : run.offset + run.end - run.start]
            same = here.split() == there.split()
            self.must(same, f"says that {here[:60]!r} stands at {run.offset} of the file, where {there[:60]!r} does")

    def test_reading_again_gives_the_same(self, extractor: Any, file: Path, tmp_path: Path) -> None:
        first = extractor.extract(file)
        self.must(same_packs(first, extractor.extract(file)), "gives another pack when it is asked again")
        self.must(
            same_packs(first, self.made(self.context(tmp_path)).extract(file)),
            "gives another pack when it is made again",
        )
        self.must(
            same_packs(first, pickle.loads(pickle.dumps(first))), "gives a pack that cannot pass between processes"
        )

    def test_another_process_gives_the_same(self, extractor: Any, file: Path, tmp_path: Path) -> None:
        if not self.elsewhere:
            return
        task, out = tmp_path / "task.pickle", tmp_path / "pack.pickle"
        task.write_bytes(pickle.dumps(((self.name, dict(self.settings), str(tmp_path)), str(file), str(out))))
        done = subprocess.run(
            [sys.executable, "-c", _ELSEWHERE, str(task)],
            capture_output=True,
            text=True,
            timeout=self.seconds,
            check=False,
        )
        self.must(done.returncode == 0, f"fails in a process of its own: {done.stderr.strip()[-300:]}")
        self.must(
            same_packs(extractor.extract(file), pickle.loads(out.read_bytes())), "gives another pack in another process"
        )

    def test_the_name_of_the_file_does_not_matter(self, extractor: Any, file: Path) -> None:
        first = extractor.extract(file)
        for name in (f"ŁÓDŹ 図書 ({file.stem}){file.suffix}", f"{file.stem}{file.suffix.upper()}"):
            other = file.with_name(name)
            shutil.copy(file, other)
            self.must(extractor.extract(other).text == first.text, f"reads another text from a file called {name!r}")

    def test_a_password_that_is_not_needed_is_no_trouble(self, extractor: Any, file: Path) -> None:
        self.must(
            same_packs(extractor.extract(file), extractor.extract(file, "swordfish")),
            "reads a file otherwise when it is given a password",
        )

    def test_registers_its_suffixes_and_its_version(self, extractor: Any, file: Path) -> None:
        facts = self.entry().facts
        for suffix in facts.get("suffixes", ()):
            self.must(
                suffix.startswith(".") and suffix == suffix.lower(),
                f"registers the suffix {suffix!r}; it must be like '.pdf'",
            )
        self.must(
            file.suffix.lower() in facts.get("suffixes", ()),
            f"does not register {file.suffix}, the suffix of its own sample",
        )
        version = facts.get("version")
        if callable(version):
            version = version(validate_section(self.entry().settings, self.settings, self.plugin))
        self.must(version in (None, extractor.version), f"registers version {version}, is version {extractor.version}")
        self.must(
            isinstance(extractor.version, int) and extractor.version > 0,
            f"has the version {extractor.version!r}; it must be 1 or more",
        )

    # ------------------------------------------------------------------------------------------ leaving things as they are

    def test_the_file_is_untouched_and_everything_given_back(self, extractor: Any, file: Path) -> None:
        extractor.extract(file)
        rubbish = file.with_name(f"rubbish{file.suffix}")
        rubbish.write_bytes(random.Random(1).randbytes(3000))
        self._try(extractor, rubbish)
        with self.untouched(file.parent), self.gives_back():
            for _ in range(3):
                extractor.extract(file)
                self._try(extractor, rubbish)

    # ------------------------------------------------------------------------------------------ what cannot be read

    def test_what_is_no_file_is_unreadable(self, extractor: Any, file: Path) -> None:
        for path in (file.with_name(f"nowhere{file.suffix}"), file.parent):
            with self.raises(Unreadable, message=f"{path.name}: what is no file must be Unreadable"):
                extractor.extract(path)

    def test_an_empty_file_is_unreadable_or_without_text(self, extractor: Any, file: Path) -> None:
        file.write_bytes(b"")
        pack = self._try(extractor, file)
        self.must(pack is None or not pack.text.strip(), "finds text in an empty file")

    @pytest.mark.parametrize("part", [0.02, 0.25, 0.5, 0.75, 0.98])
    def test_a_file_cut_short_is_read_or_unreadable(self, extractor: Any, file: Path, part: float) -> None:
        data = file.read_bytes()
        file.write_bytes(data[: int(len(data) * part)])
        self._try(extractor, file)

    @pytest.mark.parametrize("seed", range(8))
    def test_a_damaged_file_is_read_or_unreadable(self, extractor: Any, file: Path, seed: int) -> None:
        chance = random.Random(seed)
        data = bytearray(file.read_bytes())
        for _ in range(1 + len(data) // 200):
            data[chance.randrange(len(data))] = chance.randrange(256)
        file.write_bytes(bytes(data))
        self._try(extractor, file)

    def _try(self, extractor: Any, file: Path) -> Pack | None:
        """The pack, which must be sound, or None where the file is unreadable, which must be said in a line with its class."""
        try:
            pack: Pack = extractor.extract(file)
        except Unreadable as error:
            self.must(
                error.verdict and error.reason and "\n" not in error.reason,
                f"gives a verdict without class or reason: {error!r}",
            )
            return None
        wrong = wrong_pack(pack)
        self.must(not wrong, f"gives a pack of a damaged file in which {wrong}")
        return pack
