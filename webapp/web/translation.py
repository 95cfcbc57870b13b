"""Messages in templates.

``{% trans %}Ask {{ name }} for a game.{% endtrans %}`` is the message ``Ask {name} for a game.`` in
the reader's language. HTML in it is the message's own, and what fills its places is escaped.
"""

import re

from flask import Flask
from jinja2 import Environment, nodes
from jinja2.ext import InternationalizationExtension
from markupsafe import Markup

from webapp.words import language

_PLACE = re.compile(r"%\((\w+)\)s")


class Translation(InternationalizationExtension):
    """The tag ``trans``, for messages whose places are written as Python writes them."""

    # The tool that extracts messages brings the extension that this one is made from.
    priority = 101

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        environment.policies["ext.i18n.trimmed"] = True
        for name in ("_", "ngettext", "pgettext"):
            environment.globals[name] = getattr(language, name)
        environment.globals["filled"] = _filled

    def _make_node(
        self,
        singular: str,
        plural: str | None,
        context: str | None,
        variables: dict[str, nodes.Expr],
        plural_expr: nodes.Expr | None,
        *_more: bool,
    ) -> nodes.Output:
        named = "_"
        texts = [singular]
        if plural_expr is not None:
            named, texts = "ngettext", [singular, plural or ""]
        elif context is not None:
            named, texts = "pgettext", [context, singular]
        said: list[nodes.Expr] = [nodes.Const(_message(text)) for text in texts]
        message = _call(named, said if plural_expr is None else [*said, plural_expr])
        filling = [nodes.Keyword(place, value) for place, value in variables.items()]
        return nodes.Output([_call("filled", [message], filling)])


def _call(
    name: str, values: list[nodes.Expr], named: list[nodes.Keyword] | None = None
) -> nodes.Call:
    return nodes.Call(nodes.Name(name, "load"), values, named or [], None, None)


def _message(text: str) -> str:
    """A message with Python's ``{places}``."""
    return _PLACE.sub(r"{\1}", text).replace("%%", "%")


def _filled(message: str, **values: object) -> Markup:
    return Markup(message).format(**values) if values else Markup(message)  # noqa: S704


def load_all(app: Flask) -> None:
    """Compile all templates now: before a restart, an upgrade may replace their files."""
    for name in app.jinja_env.list_templates():
        app.jinja_env.get_template(name)
