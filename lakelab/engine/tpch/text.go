package tpch

// Text is the text out of which all comments are cut. It takes 300 MB, so it is worth forgetting after use.
type Text struct{ text []byte }

const (
	textSize = 300 << 20
	textSeed = 933588178
)

// NewText makes the text: about a second of work.
func NewText() *Text {
	w := &writer{text: make([]byte, 0, textSize+1024), random: newStream(textSeed, 0)}
	for len(w.text) < textSize {
		w.sentence()
	}
	return &Text{w.text[:textSize:textSize]}
}

// writer writes sentences by the grammar of clause 4.2.2.14.
type writer struct {
	text   []byte
	random *stream
}

// word draws a word and writes it.
func (w *writer) word(d []string) { w.text = append(w.text, w.random.pick(d)...) }

// sentence writes a sentence and the blank behind it.
func (w *writer) sentence() {
	for _, part := range w.random.pick(sentences) {
		switch part {
		case 'N':
			w.nounPhrase()
		case 'V':
			w.verbPhrase()
		case 'P':
			w.word(prepositions)
			w.text = append(w.text, " the "...)
			w.nounPhrase()
		case 'T':
			w.text = w.text[:len(w.text)-1]
			w.word(terminators)
		}
		if w.text[len(w.text)-1] != ' ' {
			w.text = append(w.text, ' ')
		}
	}
}

// nounPhrase and verbPhrase write a blank behind each word.
func (w *writer) nounPhrase() {
	for _, part := range w.random.pick(nounPhrases) {
		switch part {
		case 'N':
			w.word(nouns)
		case 'J':
			w.word(adjectives)
		case 'D':
			w.word(adverbs)
		case ';':
			w.text = append(w.text[:len(w.text)-1], ',')
		}
		w.text = append(w.text, ' ')
	}
}

func (w *writer) verbPhrase() {
	for _, part := range w.random.pick(verbPhrases) {
		switch part {
		case 'V':
			w.word(verbs)
		case 'X':
			w.word(auxiliaries)
		case 'D':
			w.word(adverbs)
		}
		w.text = append(w.text, ' ')
	}
}
