package sql

// ParseName reads a dotted name as Spark's API takes it: lakehouse.silver.`my table`.
func ParseName(text string) ([]Name, error) {
	return run(Spark, text, func(p *parser) []Name {
		n := p.names()
		if p.isIdent() && p.peek(1).kind == eof {
			p.failHint("extra input " + p.near(p.now()))
		}
		p.end()
		return n
	})
}
