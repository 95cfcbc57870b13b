"""The addresses of this computer on its networks."""

import re
import socket
from contextlib import suppress

import ifaddr

_APART = re.compile(
    r"\b(docker|veth|virbr|br-|vboxnet|vmnet|u?tun|tap|ppp|wg\d+\b|zt)"
    "|virtualbox|vmware|hyper-v|vethernet|vpn|wireguard|tailscale",
    re.IGNORECASE,
)
"""Names of adapters that lead to no classroom: of VPNs, containers and virtual machines."""


def addresses() -> list[str]:
    """Return the IPv4 addresses that others may know this computer by, the likeliest first.

    Wi-Fi and cable, also one that this computer has made as a hotspot, come before VPNs and virtual
    machines; then the way to the internet, if there is one, comes first.
    """
    found = {
        address.ip: bool(_APART.search(f"{adapter.name} {adapter.nice_name}"))
        for adapter in ifaddr.get_adapters()
        for address in adapter.ips
        if address.is_IPv4 and not str(address.ip).startswith(("127.", "169.254."))
    }
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        with suppress(OSError):
            # Choosing a way to 192.0.2.1 (a network for documentation) sends nothing.
            probe.connect(("192.0.2.1", 9))
        way = probe.getsockname()[0]
    return sorted(map(str, found), key=lambda one: (found[one], one != way))
