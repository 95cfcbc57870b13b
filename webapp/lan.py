"""The addresses of this computer on its networks."""

import re
import socket
from contextlib import suppress

import ifaddr

_NOT_LAN = re.compile(
    r"\b(docker|veth|virbr|br-|vboxnet|vmnet|u?tun|tap|ppp|wg\d+\b|zt)"
    "|virtualbox|vmware|hyper-v|vethernet|vpn|wireguard|tailscale",
    re.IGNORECASE,
)
"""Adapters of VPNs, containers and virtual machines."""


def addresses() -> list[str]:
    """Return the IPv4 addresses of this computer on its networks, the likeliest first.

    Wi-Fi and cable, a hotspot of this computer included, come before VPNs and virtual machines;
    among equals, the route to the internet comes first.
    """
    not_lan = {
        address.ip: bool(_NOT_LAN.search(f"{adapter.name} {adapter.nice_name}"))
        for adapter in ifaddr.get_adapters()
        for address in adapter.ips
        if address.is_IPv4 and not str(address.ip).startswith(("127.", "169.254."))
    }
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        with suppress(OSError):
            # Connecting UDP sends nothing; 192.0.2.1 is in a network for documentation.
            probe.connect(("192.0.2.1", 9))
        route = probe.getsockname()[0]
    return sorted(map(str, not_lan), key=lambda address: (not_lan[address], address != route))
