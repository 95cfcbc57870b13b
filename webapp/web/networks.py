"""A visitor's address, only as exact as needed: the line that it belongs to."""

import ipaddress
from functools import lru_cache


@lru_cache(maxsize=4096)
def line(address: str | None) -> str:
    """The line that an address belongs to: an IPv4 address, or an IPv6 /56, as homes have it.

    >>> line("192.168.1.20"), line("2001:db8:1:2:3:4:5:6"), line("fe80::1%eth0"), line(None)
    ('192.168.1.20/32', '2001:db8:1::/56', 'fe80::/56', '')

    A server that listens for both kinds sees IPv4 addresses mapped to IPv6:

    >>> line("::ffff:192.168.1.20")
    '192.168.1.20/32'
    """
    try:
        known = ipaddress.ip_address(address or "")
    except ValueError:
        return ""
    known = getattr(known, "ipv4_mapped", None) or known
    return str(ipaddress.ip_network((known.packed, 32 if known.version == 4 else 56), strict=False))
