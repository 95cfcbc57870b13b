"""Messages in templates: each language has an environment, whose templates are compiled in it.

``{% trans %}Ask {{ name }} for a game.{% endtrans %}`` is the message ``Ask {name} for a game.`` It
is looked up once, when the template is compiled, so that it costs at a page what constant text
does; only the form of a plural is chosen then. HTML in it is the message's own, and what fills its
places is escaped.
"""

import re
from types import CodeType
from typing import Any

from flask import Flask
from flask.templating import Environment as FlaskEnvironment
from jinja2 import Environment, FunctionLoader, Template, nodes
from jinja2.ext import InternationalizationExtension

from webapp.words import language
from webapp.words.language import READER, catalogue

_PLACE = re.compile(r"%\((\w+)\)s")
_PARTS = re.compile(r"\{(\w+)\}")


class Translation(InternationalizationExtension):
    """The tag ``trans``.

    In an environment without a language, such as that of a tool which extracts messages, it leaves
    calls of ``gettext`` where the messages are.
    """

    priority = 101  # the tool brings the extension that this one is made from

    def __init__(self, environment: Environment) -> None:
        super().__init__(environment)
        environment.policies["ext.i18n.trimmed"] = True
        for name in ("_", "ngettext", "pgettext"):
            environment.globals[name] = getattr(language, name)

    def _make_node(  # type: ignore[override]
        self,
        singular: str,
        plural: str | None,
        context: str | None,
        variables: dict[str, nodes.Expr],
        plural_expr: nodes.Expr | None,
        *more: bool,
    ) -> nodes.Stmt:
        """Return what prints a message, whose text is the one of the environment's language."""
        singular, plural = _message(singular), _message(plural or "")
        code = getattr(self.environment, "language", None)
        if code is None:
            return super()._make_node(singular, plural, context, variables, plural_expr, *more)
        found = catalogue(code)
        if plural_expr is None:
            text = found.pgettext(context, singular) if context else found.gettext(singular)
            return nodes.Output(_parts(text, variables))
        texts = [found.ngettext(singular, plural, number) for number in language.examples(code)]
        outputs = [nodes.Output(_parts(text, variables)) for text in texts]
        plural_form = nodes.ImportedName(f"{language.__name__}.{language.plural_form.__name__}")
        call = nodes.Call(plural_form, [plural_expr], [], None, None)
        return nodes.With([nodes.Name("form", "param")], [call], [_one_of(outputs)])


def _message(text: str) -> str:
    """A message with its places as Python writes them."""
    return _PLACE.sub(r"{\1}", text).replace("%%", "%")


def _parts(text: str, variables: dict[str, nodes.Expr]) -> list[nodes.Expr]:
    """The constant text of a message, and between it what fills the places."""
    parts = _PARTS.split(text)
    return [
        variables[part] if place % 2 else nodes.TemplateData(part)
        for place, part in enumerate(parts)
        if part
    ]


def _one_of(outputs: list[nodes.Output], form: int = 0) -> nodes.Stmt:
    """Print the one that the variable ``form`` says."""
    if form == len(outputs) - 1:
        return outputs[form]
    test = nodes.Compare(nodes.Name("form", "load"), [nodes.Operand("eq", nodes.Const(form))])
    return nodes.If(test, [outputs[form]], [], [_one_of(outputs, form + 1)])


class Environments(FlaskEnvironment):
    """The environment of English, by which those of the other languages are found."""

    language = "en"

    def __init__(self, *values: Any, **options: Any) -> None:
        super().__init__(*values, **options)
        self._others: dict[str, Environments] = {}
        self._shared: dict[object, Any] = {}

    def get_template(self, name: str | Template, *more: Any, **named: Any) -> Template:
        """Return a template in the reader's language."""
        code = READER.get()
        if code == self.language:
            return super().get_template(name, *more, **named)
        return self.in_language(code).get_template(name, *more, **named)

    def in_language(self, code: str) -> "Environments":
        """The environment of a language: with filters and globals of this one, which it shares."""
        if code == self.language:
            return self
        if code not in self._others:
            made = self.overlay()
            made.language = code
            self._others[code] = made
        return self._others[code]

    def _compile(self, source: str, filename: str) -> CodeType:
        return self._sharing(super()._compile(source, filename))

    def _sharing(self, code: CodeType) -> CodeType:
        """The same code, with what other languages have too: eight of them take 6 MiB, not 10."""
        keep = self._shared.setdefault
        lines = code.co_linetable
        constants = (
            self._sharing(one)
            if isinstance(one, CodeType)
            else keep(one, one)
            if isinstance(one, str)
            else one
            for one in code.co_consts
        )
        return code.replace(co_consts=tuple(constants), co_linetable=keep(lines, lines))


def load_all(app: Flask, code: str) -> None:
    """Read all templates now, and compile them in one language.

    Before a restart an upgrade may put templates there that are not this version's.
    """
    templates = app.jinja_env
    assert isinstance(templates, Environments) and templates.loader  # noqa: S101, PT018
    names = templates.list_templates()
    sources = {name: templates.loader.get_source(templates, name) for name in names}
    templates.loader = FunctionLoader(sources.get)
    for name in names:
        templates.in_language(code).get_template(name)
