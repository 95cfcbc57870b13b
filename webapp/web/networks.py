"""A visitor's address, only as exact as needed: the network that it belongs to."""

import ipaddress
from functools import lru_cache


def line(address: str | None) -> str:
    """Return the line that an address belongs to: IPv4's own, or IPv6's /56, as homes have it."""
    return network(address, 32, 56)


@lru_cache(maxsize=4096)
def network(address: str | None, ipv4: int, ipv6: int) -> str:
    """Return the network of an address, by how many of its bits count; "" if it is not an address.

    >>> network("192.168.1.20", 24, 48), network("2001:db8:1:2:3:4:5:6", 24, 48)
    ('192.168.1.0/24', '2001:db8:1::/48')

    A server that listens on every address of both kinds knows IPv4's in disguise:

    >>> network("::ffff:192.168.1.20", 32, 64), network("fe80::1%eth0", 24, 48), network(None, 1, 1)
    ('192.168.1.20/32', 'fe80::/48', '')
    """
    try:
        known = ipaddress.ip_address(address or "")
    except ValueError:
        return ""
    known = getattr(known, "ipv4_mapped", None) or known
    bits = ipv4 if known.version == 4 else ipv6
    return str(ipaddress.ip_network((known.packed, bits), strict=False))
