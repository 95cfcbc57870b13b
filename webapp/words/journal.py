"""What teachers have done, in words."""

from webapp import words
from webapp.classroom import Act, Entry
from webapp.words.language import N_, _

_SENTENCES = {
    Act.RENAME: N_("{name} got the name {new}."),
    Act.REMOVE: N_("{name} was removed."),
    Act.LOCK_NAMES: N_("The names were locked."),
    Act.UNLOCK_NAMES: N_("The names were unlocked."),
    Act.PAUSE: N_("The games were paused."),
    Act.RESUME: N_("The games went on."),
    Act.SHOW_CLASS: N_("The wall showed the class."),
    Act.SHOW_GAME: N_("The wall showed a game."),
    Act.SHOW_REVIEW: N_("The wall showed a review."),
    Act.SHOW_EVENT: N_("The wall showed the tournament."),
    Act.SHOW_BLANK: N_("The wall was blank."),
    Act.START_EVENT: N_("The tournament began."),
    Act.END_EVENT: N_("The tournament was ended."),
    Act.OPEN_EVENT: N_("Late players could join the tournament."),
    Act.CLOSE_EVENT: N_("No more players could join the tournament."),
    Act.PUT_OUT: N_("{name} was put out of the tournament."),
    Act.PUT_OUT_IDLE: N_("All who had not moved were put out of the tournament."),
    Act.LET_IN: N_("{name} could join the tournament again."),
    Act.RESET_STANDINGS: N_("The standings were reset."),
    Act.SHOW_MENACE: N_("The wall showed MENACE."),
    Act.TRAIN: N_("MENACE was trained."),
    Act.UNLEARN: N_("MENACE forgot what {name} had taught it."),
    Act.AFRESH: N_("MENACE started afresh."),
}

_NAMELESS = {
    Act.RENAME: N_("A player who left got another name."),
    Act.UNLEARN: N_("MENACE forgot what a player who left had taught it."),
    Act.PUT_OUT: N_("A player who left was put out of the tournament."),
    Act.LET_IN: N_("A player who left could join the tournament again."),
}
"""About players who have deleted their data."""


def done(entry: Entry) -> str:
    """Say what a teacher has done.

    >>> done(Entry(0, Act.PAUSE))
    'The games were paused.'
    """
    if entry.act in _NAMELESS and not entry.name and not entry.new:
        return _(_NAMELESS[entry.act])
    name, new = (words.isolated(one or "") for one in (entry.name, entry.new))
    return _(_SENTENCES[entry.act]).format(name=name, new=new)
