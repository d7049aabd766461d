package functions

import (
	"net/netip"
	"strconv"
	"strings"
)

// IPBytes are the 16 bytes by which Trino keeps and orders an address, one of IPv4 mapped into IPv6
// (https://trino.io/docs/476/language/types.html#ipaddress); nil if the text is no address.
func IPBytes(text string) []byte {
	a, err := netip.ParseAddr(text)
	if err != nil {
		return nil
	}
	b := a.As16()
	return b[:]
}

// IPText is the address whose 16 bytes are given, as Trino writes it.
func IPText(b []byte) string {
	a, _ := netip.AddrFromSlice(b)
	return a.Unmap().String()
}

// ipIn tells whether an address of 16 bytes is in a network (https://trino.io/docs/476/functions/ipaddress.html).
func ipIn(network string, address []byte) (any, error) {
	base, bits, ok := strings.Cut(network, "/")
	if !ok {
		return nil, badArgument("Invalid CIDR")
	}
	a, err := netip.ParseAddr(base)
	if err != nil {
		return nil, badArgument("Invalid network IP address")
	}
	n, err := strconv.Atoi(bits)
	if err != nil || n < 0 || n > a.BitLen() {
		return nil, badArgument("Invalid CIDR")
	}
	p := netip.PrefixFrom(netip.AddrFrom16(a.As16()), n+128-a.BitLen()).Masked()
	b, _ := netip.AddrFromSlice(address)
	q := netip.PrefixFrom(b, p.Bits()).Masked()
	return p.Addr() == q.Addr(), nil
}
