"""``pincite open``."""

from typing import Annotated

import typer

from pincite.cli.options import ConfigOption, LibraryOption, say
from pincite.cli.pointing import WhereArgument, pointed


def open_place(
    where: WhereArgument,
    image: Annotated[
        str | None,
        typer.Option("--image", metavar="FILE.png", help="Write the page with the passage marked.", show_default=False),
    ] = None,
    only_print: Annotated[bool, typer.Option("--print", help="Print the link, and open nothing.")] = False,
    library: LibraryOption = None,
    config: ConfigOption = None,
) -> None:
    """Open a passage at its page."""
    with pointed(where, library, config) as (lib, found):
        attachment = found.attachment
        path = attachment.path if attachment else ""
        link = found.link
        if image is not None:
            from pathlib import Path

            from pincite.search.image import write_page

            _writable(image)
            known = lib.config.settings.passwords
            password = known.get(path) or known.get(Path(path).name)
            pages = write_page(path, found.chunk.anchor, Path(image), password)
            say(f"{image}: page {pages[0]} of {path}")
            return
        if only_print:
            say(link or path)
            return
        from pincite.search.viewers import command, launch

        launch(command(link, path, found.chunk.page, lib.config.settings.viewer))
        say(link or path)


def _writable(image: str) -> None:
    """Raises `UsageError` where a picture cannot be put there: a mistyped folder is not made."""
    from pathlib import Path

    from pincite.errors import UsageError

    if not image.strip() or Path(image).is_dir():
        raise UsageError(f"--image names the file to write, as page.png, not '{image}'")
    if Path(image).suffix.lower() != ".png":
        raise UsageError(f"--image writes PNG: name the file {Path(image).with_suffix('.png')}, not '{image}'")
    if not Path(image).parent.is_dir():
        raise UsageError(f"--image: there is no folder {Path(image).parent}; make it, or write the picture elsewhere")
