"""The screen of ``pincite ask``: a line to type in, works with their passages, and the passage that is chosen (specs/27-ask.md)."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Key, Paste
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from pincite.cli.oneline import byline, counted, heading, one_line, place
from pincite.cli.render import BAR, UNINDEXED, isolated, marked
from pincite.errors import Cancelled, PinciteError, in_one_line
from pincite.text.readable import visible
from pincite.values.results import Hit, Passage, Results

if TYPE_CHECKING:
    from pincite.library import Library
    from pincite.search.answer import Asked

PAUSE = 0.15
"""Seconds without a key after which the answer is made: a person who types on does not wait for what is thrown away."""

SHOWN = 10

ROUNDS = 10
"""Times that `[previews] seconds` are given to files which are not indexed yet, while nothing else is asked."""


EDITS = {key: one.action for one in Input.BINDINGS if isinstance(one, Binding) for key in one.key.split(",")}
"""Key → what it does to the line: Backspace, Ctrl+U, the arrows."""


class Line(Input):
    """The line to type in. What is pasted may have had several: a title that was broken over two is one."""

    async def on_key(self, event: Key) -> None:
        """In its turn among the characters: Textual does what edits only after all that were typed by then."""
        if event.key in EDITS:
            event.prevent_default()
            event.stop()
            await self.run_action(EDITS[event.key])

    def on_paste(self, event: Paste) -> None:
        """In place of Textual's, which takes the first line alone."""
        event.prevent_default()
        event.stop()
        self.replace(one_line(event.text), *self.selection)


class AskApp(App[None]):
    """`library` is used in `worker`'s one thread alone."""

    CSS = """
    Input { height: 3; border: round $primary; }
    OptionList { height: 1fr; border: none; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }
    #passage { height: 7; border-top: solid $primary; padding: 0 1; }
    #status { height: 1; color: $text-muted; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis; }
    """
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "move(1)", "Next passage", priority=True),
        Binding("up", "move(-1)", "Passage before", priority=True),
        Binding("pagedown", "move(5)", priority=True),
        Binding("pageup", "move(-5)", priority=True),
        Binding("ctrl+t", "cite", "Citation", priority=True),
        Binding("escape,ctrl+c", "quit", "Quit", priority=True),
    ]

    def __init__(self, library: Library, worker: Executor, config: str = "") -> None:
        super().__init__()
        self._library = library
        self._worker = worker
        self._config = config
        self._typed = 0
        self._places: list[tuple[Hit, Passage | None]] = []
        self._at = 0
        self._to_open = 0
        """Passages that were to be opened, counted by the screen, and `_opened` of them, counted by the worker."""
        self._opened = 0

    def compose(self) -> ComposeResult:
        """From top to bottom."""
        yield Line(placeholder=f"Search {self._library.path.name}")
        yield OptionList()
        yield Static("", id="passage")
        yield Static("↑↓ choose   Enter open   Ctrl+T citation   Esc quit", id="status")

    def on_mount(self) -> None:
        """Typing goes to the line from the start, and stays there."""
        self.query_one(OptionList).can_focus = False
        self.query_one(Input).focus()

    # ------------------------------------------------------------------------------------------ asking

    def on_input_changed(self, event: Input.Changed) -> None:
        """The answer follows what is typed, after a short pause."""
        self._typed += 1
        now = self._typed
        self._tell("searching …")
        self.set_timer(PAUSE, lambda: self._ask(now, event.value))

    def _ask(self, typed: int, text: str) -> None:
        if typed != self._typed:
            return
        if not text.strip():
            self._show(None)
            return
        self._submit(self._answer, typed, text)

    def _submit(self, work: Callable[..., None], *given: Any) -> None:
        """To be done by the worker; a fault of it is one line."""

        def done() -> None:
            try:
                work(*given)
            except PinciteError as error:
                self.call_from_thread(self._tell, str(error))
            except Exception as error:
                self.call_from_thread(self._tell, f"unexpected error: {in_one_line(error)}")

        self._worker.submit(done)

    def _answer(self, typed: int, text: str) -> None:
        """In the worker's thread."""

        if typed != self._typed:
            return
        try:
            asked = self._library.ask(text, limit=SHOWN, cancelled=lambda: typed != self._typed or self._opening)
            self._shown(typed, asked.results(SHOWN, previews=False))
            if asked.session.waiting:
                self._submit(self._complete, typed, asked)
        except Cancelled:  # by the next key, or by an opening, which goes first
            self._submit(self._answer, typed, text)

    def _complete(self, typed: int, asked: Asked, rounds: int = ROUNDS) -> None:
        """Reads files that are not indexed yet, once the rest can be seen. In the worker's thread, where an opening goes before it."""
        if typed != self._typed:
            return
        try:
            self._shown(typed, asked.results(SHOWN), again=True)
            again = bool(asked.session.pending) and rounds > 1
        except Cancelled:
            again = True
        if again:
            self._submit(self._complete, typed, asked, rounds - 1)

    def _shown(self, typed: int, results: Results, again: bool = False) -> None:
        """In the worker's thread."""
        if typed == self._typed:
            self.call_from_thread(self._show_if_asked, typed, results, again)

    @property
    def _opening(self) -> bool:
        """Whether a passage is to be opened."""
        return self._to_open > self._opened

    # ------------------------------------------------------------------------------------------ showing

    def _show_if_asked(self, typed: int, results: Results, again: bool) -> None:
        """A key may have come since the worker looked."""
        if typed == self._typed:
            self._show(results, again)

    def _show(self, results: Results | None, again: bool = False) -> None:
        """`again`: the same works with more passages; the work that was chosen stays so."""
        shown = self.query_one(OptionList)
        shown.clear_options()
        chosen = self._places[self._at][0].item.id if again and self._at else ""
        self._places, self._at = [], 0
        for hit in results.hits if results else ():
            shown.add_option(Option(_head(hit), disabled=True))
            for passage in hit.passages or (None,):
                self._places.append((hit, passage))
                shown.add_option(Option(_line(passage, hit), id=str(len(self._places) - 1)))
        self._at = next((at for at, (hit, _) in enumerate(self._places) if hit.item.id == chosen), 0)
        self._tell(_said(results))
        self._choose()

    def _choose(self) -> None:
        shown, chosen = self.query_one(OptionList), self.query_one("#passage", Static)
        if not self._places:
            chosen.update("")
            return
        shown.highlighted = shown.get_option_index(str(self._at))
        hit, passage = self._places[self._at]
        chosen.update(marked(passage) if passage else Text(byline(hit.item)))

    def _tell(self, line: str) -> None:
        self.query_one("#status", Static).update(Text(visible(line), no_wrap=True, overflow="ellipsis"))

    # ------------------------------------------------------------------------------------------ keys

    def action_move(self, by: int) -> None:
        """To another passage."""
        if self._places:
            self._at = min(len(self._places) - 1, max(0, self._at + by))
            self._choose()

    def on_input_submitted(self) -> None:
        """Enter opens the chosen passage at its page."""
        if self._places:
            self._to_open += 1
            self._submit(self._open, *self._places[self._at])

    def _open(self, hit: Hit, passage: Passage | None) -> None:
        self._opened += 1
        from pincite.search.anywhere import find
        from pincite.search.found import whole_item
        from pincite.search.last import remember
        from pincite.search.viewers import command, launch

        library = self._library
        found = find(library, passage.id) if passage else whole_item(library.store, hit.item.id)
        path = found.attachment.path if found.attachment else ""
        launch(command(found.link, path, found.chunk.page, library.config.settings.viewer))
        remember(library.config.home, library.name, hit.item.title, "", [hit], self._config)
        self.call_from_thread(self._tell, f"opened {found.link or path}")

    def action_cite(self) -> None:
        """The chosen passage's citation, in the last line and on the clipboard."""
        from pincite.citing.styles import page_place, pandoc

        if self._places:
            hit, passage = self._places[self._at]
            place_of = page_place(passage.page_label, passage.page) if passage else page_place(None, None)
            cited = visible(pandoc(hit.item, place_of))
            self.copy_to_clipboard(cited)
            self._tell(f"{cited}   copied")


def _head(hit: Hit) -> Text:
    filled = round(hit.relevance * BAR)
    bar = Text("█" * filled + "░" * (BAR - filled), style="yellow" if hit.low_confidence else "green")
    title = Text(f"  {isolated(heading(hit.item))}", style="bold")
    about = Text(f"  {isolated(byline(hit.item))}", style="dim")
    head = bar + title + about
    head.no_wrap, head.overflow = True, "ellipsis"
    return head


def _line(passage: Passage | None, hit: Hit) -> Text:
    if passage is None:
        return Text(f"  {one_line('; '.join(hit.unread.values())) or 'the work itself'}", style="dim")
    where = place(passage.page_label, passage.page, passage.section[-1:], passage.kind)
    line = Text(f"  {isolated(where)}  " if where else "  ", style="cyan")
    if not passage.indexed:
        line.append(f"{UNINDEXED}  ", style="yellow")
    line += marked(passage)
    line.no_wrap, line.overflow = True, "ellipsis"
    return line


def _said(results: Results | None) -> str:
    if results is None:
        return ""
    said = [counted(results.total, "work") if results.hits else "nothing matches", *results.understood]
    if results.hits and all(hit.low_confidence for hit in results.hits):
        said.append("nothing matches well")
    said += [f"“{word}”: did you mean {' or '.join(near)}?" for word, near in results.suggestions.items()]
    if results.degraded:
        said.append(results.degraded)
    return "   ".join([*said, "Enter opens, Esc quits"])
