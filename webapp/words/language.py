"""Where a message would be looked up in another language; there is none yet, so it stays as it is.

A message is one whole sentence, or one whole phrase of a table, with named places that are filled
after it was looked up: ``_("{name} to move").format(name=name)``. ``N_`` marks one in a table that
``_`` looks up later. These are the names that gettext's tools search for, and Jinja's extension
``i18n`` takes the same object for ``{% trans %}`` in the templates.
"""

from gettext import NullTranslations

_language = NullTranslations()
_ = _language.gettext
ngettext = _language.ngettext
N_ = str
