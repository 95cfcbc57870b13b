"""Settings for another process."""

from dataclasses import fields

from webapp.config import Settings


def environment(settings: Settings) -> dict[str, str]:
    values = {one.name: getattr(settings, one.name) for one in fields(settings)}
    values["data"] = settings.data.absolute()
    values["trusted_proxies"] = ",".join(settings.trusted_proxies)
    values["engine"] = ",".join(settings.engine)
    return {
        f"TTT_{name.upper()}": str(value) for name, value in values.items() if value is not None
    }
