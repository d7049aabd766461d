package tpch

func regions(text *Text, row Row) error {
	comment := newStream(1500869201, 2)
	for i, name := range regionNames {
		if err := row([]any{int64(i), name, comment.comment(text, 72)}); err != nil {
			return err
		}
		comment.next()
	}
	return nil
}

func nations(text *Text, row Row) error {
	comment := newStream(606179079, 2)
	for i, n := range nationNames {
		if err := row([]any{int64(i), n.name, int64(n.region), comment.comment(text, 72)}); err != nil {
			return err
		}
		comment.next()
	}
	return nil
}

// person holds the streams of what customers and suppliers have in common.
type person struct{ address, nation, phone, balance, comment *stream }

func newPerson(address, nation, phone, balance, comment int64) person {
	return person{newStream(address, 9), newStream(nation, 1), newStream(phone, 3), newStream(balance, 1), newStream(comment, 2)}
}

func (p person) next() {
	for _, s := range []*stream{p.address, p.nation, p.phone, p.balance, p.comment} {
		s.next()
	}
}

func customerRows(n int, text *Text, row Row) error {
	p, segment := newPerson(881155353, 1489529863, 1521138112, 298370230, 1335826707), newStream(1140279430, 1)
	for key := 1; key <= n; key++ {
		nation := p.nation.between(0, len(nationNames)-1)
		if err := row([]any{int64(key), numbered("Customer", key), p.address.address(), int64(nation), p.phone.phone(nation), int64(p.balance.between(-99999, 999999)),
			segment.pick(segments), p.comment.comment(text, 73)}); err != nil {
			return err
		}
		p.next()
		segment.next()
	}
	return nil
}

// Some suppliers' comments say what customers said: ten of each 10,000.
const complained, opinionBase, opinionLength = 10, "Customer ", len("Customer Complaints")

func supplierRows(n int, text *Text, row Row) error {
	p := newPerson(706178559, 110356601, 884434366, 962338209, 1341315363)
	chosen, junk, offset, kind := newStream(202794285, 1), newStream(263032577, 1), newStream(715851524, 1), newStream(753643799, 1)
	for key := 1; key <= n; key++ {
		comment := p.comment.comment(text, 63)
		if chosen.between(1, suppliers) <= complained {
			between := junk.between(0, len(comment)-opinionLength)
			at := offset.between(0, len(comment)-opinionLength-between)
			opinion := "Recommends"
			if kind.between(0, 100) < 50 {
				opinion = "Complaints"
			}
			b := []byte(comment)
			copy(b[at:], opinionBase)
			copy(b[at+len(opinionBase)+between:], opinion)
			comment = string(b)
		}
		nation := p.nation.between(0, len(nationNames)-1)
		if err := row([]any{int64(key), numbered("Supplier", key), p.address.address(), int64(nation), p.phone.phone(nation), int64(p.balance.between(-99999, 999999)), comment}); err != nil {
			return err
		}
		p.next()
		for _, s := range []*stream{chosen, junk, offset, kind} {
			s.next()
		}
	}
	return nil
}

// price is a part's price in cents.
func price(part int) int { return 90000 + part/10%20001 + part%1000*100 }

func partRows(n int, text *Text, row Row) error {
	name, maker, brand, kind := newStream(709314158, len(colors)), newStream(1, 1), newStream(46831694, 1), newStream(1841581359, 1)
	size, container, comment := newStream(1193163244, 1), newStream(727633698, 1), newStream(804159733, 2)
	words := make([]string, len(colors))
	for key := 1; key <= n; key++ {
		copy(words, colors)
		for i := range 5 {
			j := name.between(i, len(words)-1)
			words[i], words[j] = words[j], words[i]
		}
		m := maker.between(1, 5)
		if err := row([]any{int64(key), words[0] + " " + words[1] + " " + words[2] + " " + words[3] + " " + words[4], "Manufacturer#" + string(rune('0'+m)),
			"Brand#" + string(rune('0'+m)) + string(rune('0'+brand.between(1, 5))), kind.pick(partTypes), int64(size.between(1, 50)), container.pick(containers), int64(price(key)),
			comment.comment(text, 14)}); err != nil {
			return err
		}
		for _, s := range []*stream{name, maker, brand, kind, size, container, comment} {
			s.next()
		}
	}
	return nil
}

// supplierOf is one of the four suppliers of a part.
func supplierOf(part, i, suppliers int) int {
	return (part+i*(suppliers/suppliersOfPart+(part-1)/suppliers))%suppliers + 1
}

func partSupplierRows(n, suppliers int, text *Text, row Row) error {
	quantity, cost, comment := newStream(1671059989, suppliersOfPart), newStream(1051288424, suppliersOfPart), newStream(1961692154, 2*suppliersOfPart)
	for part := 1; part <= n; part++ {
		for i := range suppliersOfPart {
			if err := row([]any{int64(part), int64(supplierOf(part, i, suppliers)), int64(quantity.between(1, 9999)), int64(cost.between(100, 100000)), comment.comment(text, 124)}); err != nil {
				return err
			}
		}
		for _, s := range []*stream{quantity, cost, comment} {
			s.next()
		}
	}
	return nil
}

// orderRows holds the streams of orders and their lines: both tables need most of them.
type orderRows struct {
	n, customers, parts, suppliers, clerks                         int
	text                                                           *Text
	date, lineCount, customer, priority, clerk, comment            *stream
	quantity, discount, tax, part, supplier, ship, commit, receipt *stream
	flag, instruction, mode, lineComment                           *stream
	all                                                            []*stream
}

func newOrders(n, customers, parts, suppliers, clerks int, text *Text) *orderRows {
	g := &orderRows{n: n, customers: customers, parts: parts, suppliers: suppliers, clerks: clerks, text: text}
	for _, s := range []struct {
		to     **stream
		seed   int64
		perRow int
	}{
		{&g.date, 1066728069, 1}, {&g.lineCount, 1434868289, 1}, {&g.customer, 851767375, 1}, {&g.priority, 591449447, 1}, {&g.clerk, 1171034773, 1}, {&g.comment, 276090261, 2},
		{&g.quantity, 209208115, mostLines}, {&g.discount, 554590007, mostLines}, {&g.tax, 721958466, mostLines}, {&g.part, 1808217256, mostLines},
		{&g.supplier, 2095021727, mostLines}, {&g.ship, 1769349045, mostLines}, {&g.commit, 904914315, mostLines}, {&g.receipt, 373135028, mostLines},
		{&g.flag, 717419739, mostLines}, {&g.instruction, 1371272478, mostLines}, {&g.mode, 675466456, mostLines}, {&g.lineComment, 1095462486, 2 * mostLines},
	} {
		*s.to = newStream(s.seed, s.perRow)
		g.all = append(g.all, *s.to)
	}
	return g
}

func (g *orderRows) next() {
	for _, s := range g.all {
		s.next()
	}
}

// orderKey is an order's key: of each 32 numbers eight are used.
func orderKey(i int) int64 { return int64(i>>3<<5 | i&7) }

func (g *orderRows) orders(row Row) error {
	for i := 1; i <= g.n; i++ {
		date := g.date.between(firstDay, lastDay)
		// A third of the customers have no orders.
		customer := g.customer.between(1, g.customers)
		for step := 1; customer%3 == 0; step = -step {
			customer = min(customer+step, g.customers)
		}
		total, shipped, lines := 0, 0, g.lineCount.between(1, mostLines)
		for range lines {
			extended := price(g.part.between(1, g.parts)) * g.quantity.between(1, 50)
			total += extended * (100 - g.discount.between(0, 10)) / 100 * (100 + g.tax.between(0, 8)) / 100
			if date+g.ship.between(1, 121) <= today {
				shipped++
			}
		}
		status := "O"
		if shipped == lines {
			status = "F"
		} else if shipped > 0 {
			status = "P"
		}
		if err := row([]any{orderKey(i), int64(customer), status, int64(total), int64(date), g.priority.pick(priorities), numbered("Clerk", g.clerk.between(1, g.clerks)), int64(0),
			g.comment.comment(g.text, 49)}); err != nil {
			return err
		}
		g.next()
	}
	return nil
}

func (g *orderRows) lines(row Row) error {
	values := make([]any, 16)
	for i := 1; i <= g.n; i++ {
		date, lines := g.date.between(firstDay, lastDay), g.lineCount.between(1, mostLines)
		for line := range lines {
			part, quantity := g.part.between(1, g.parts), g.quantity.between(1, 50)
			ship, commit := date+g.ship.between(1, 121), date+g.commit.between(30, 90)
			receipt := ship + g.receipt.between(1, 30)
			flag, status := "N", "O"
			if receipt <= today {
				flag = g.flag.pick(returned)
			}
			if ship <= today {
				status = "F"
			}
			values = append(values[:0], orderKey(i), int64(part), int64(supplierOf(part, g.supplier.between(0, suppliersOfPart-1), g.suppliers)), int64(line+1), int64(quantity*100),
				int64(price(part)*quantity), int64(g.discount.between(0, 10)), int64(g.tax.between(0, 8)), flag, status, int64(ship), int64(commit), int64(receipt),
				g.instruction.pick(instructions), g.mode.pick(modes), g.lineComment.comment(g.text, 27))
			if err := row(values); err != nil {
				return err
			}
		}
		g.next()
	}
	return nil
}
