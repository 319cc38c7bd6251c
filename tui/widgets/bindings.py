"""Keys of screens and panes, each with an id that a person may give other keys."""

from __future__ import annotations

from textual.binding import Binding


def key(
    keys: str,
    id: str,
    description: str,
    tooltip: str,
    *,
    action: str | None = None,
    show: bool = True,
    key_display: str | None = None,
    group: str | None = None,
    opens_line: bool = False,
) -> Binding:
    """A binding; id and tooltip are not optional here.

    action: None = the last word of the id. opens_line: it opens a line to type on. Such
    a key goes before all others, so that the line is there before the next key of a
    burst is taken for a command. group: word for several bindings in a row that are
    shown as one, "n/p failure".
    """
    return Binding(
        keys,
        action or id.rpartition(".")[2],
        description,
        show=show,
        key_display=key_display or ("enter" if keys == "enter" else None),
        tooltip=tooltip,
        priority=opens_line,
        id=id,
        group=Binding.Group(group) if group else None,
    )


def key_pair(
    keys: tuple[str, str], ids: str, action: str, what: str, group: str
) -> tuple[Binding, Binding]:
    """Next and previous, shown as one. ids: with {} for `next` and `last`."""
    return (
        key(
            keys[0],
            ids.format("next"),
            "next",
            f"Next {what}",
            action=f"{action}(1)",
            group=group,
        ),
        key(
            keys[1],
            ids.format("last"),
            "previous",
            f"Previous {what}",
            action=f"{action}(-1)",
            group=group,
        ),
    )
