package functions

import "net/netip"

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
