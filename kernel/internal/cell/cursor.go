package cell

// Cursor maps a cursor position of the cell, in characters, to a position in the text for GoNB, and back: the difference
// holds on the cursor's line. GoNB counts UTF-16 units there.
// A position outside the cell counts as the nearest one inside.
func (p *Plan) Cursor(pos int) (inCode int) {
	pos = max(pos, 0)
	line, col := 0, 0
	rest := pos
	for line = 0; line < len(p.Source); line++ {
		n := len([]rune(p.Source[line]))
		if rest <= n || line == len(p.Source)-1 {
			col = min(rest, n)
			break
		}
		rest -= n + 1
	}
	prefix := string([]rune(p.Source[line])[:col])
	at := 0
	for _, l := range p.Lines {
		// A line that was split between two items counts where the cursor's part of it is.
		if l.From == line && l.Col+len(prefix) <= len(l.Text) && sameEnd(l.Text[:l.Col+len(prefix)], prefix) {
			return at + units(l.Text[:l.Col+len(prefix)])
		}
		at += units(l.Text) + 1
	}
	return min(pos, max(at-1, 0))
}

// sameEnd reports whether the cursor stands behind the same byte in both.
func sameEnd(text, prefix string) bool {
	return prefix == "" || text[len(text)-1] == prefix[len(prefix)-1]
}

// units counts UTF-16 units.
func units(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}
