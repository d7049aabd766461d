package tpch

// stream is a column's random numbers: a linear congruential generator that draws the same number of times for every row.
type stream struct {
	seed   int64
	perRow int
	drawn  int
}

const (
	multiplier = 16807
	modulus    = 1<<31 - 1
)

func newStream(seed int64, perRow int) *stream { return &stream{seed: seed, perRow: perRow} }

// between draws from low to high, both included. The range is counted in 32 bits: a range of all numbers from 0 on gives negative ones,
// in dbgen and so here.
func (s *stream) between(low, high int) int {
	s.seed = s.seed * multiplier % modulus
	s.drawn++
	span := float64(int32(high - low + 1))
	return low + int(float64(s.seed)/modulus*span)
}

// powers are those of the multiplier, as far as a row skips draws.
var powers = func() (out [128]int64) {
	out[0] = 1
	for i := 1; i < len(out); i++ {
		out[i] = out[i-1] * multiplier % modulus
	}
	return out
}()

// next ends a row: what it has not drawn is skipped.
func (s *stream) next() {
	s.seed = s.seed * powers[s.perRow-s.drawn] % modulus
	s.drawn = 0
}

// pick draws a word of a distribution.
func (s *stream) pick(d []string) string { return d[s.between(0, len(d)-1)] }

// comment draws a piece of the text whose length is about average.
func (s *stream) comment(t *Text, average int) string {
	low, high := average*4/10, average*16/10
	at := s.between(0, len(t.text)-high)
	return string(t.text[at : at+s.between(low, high)])
}

const addressLetters = "0123456789abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ,"

// address draws letters and digits, 25 on the average; a draw gives five of them.
func (s *stream) address() string {
	out := make([]byte, s.between(10, 40))
	bits := int32(0)
	for i := range out {
		if i%5 == 0 {
			bits = int32(s.between(0, 1<<31-1))
		}
		out[i] = addressLetters[bits&0x3f]
		bits >>= 6
	}
	return string(out)
}

// phone draws a telephone number of a nation.
func (s *stream) phone(nation int) string {
	out := []byte("00-000-000-0000")
	digits(out[:2], 10+nation%90)
	digits(out[3:6], s.between(100, 999))
	digits(out[7:10], s.between(100, 999))
	digits(out[11:], s.between(1000, 9999))
	return string(out)
}

// digits writes a number with leading zeros.
func digits(out []byte, n int) {
	for i := len(out) - 1; i >= 0; i, n = i-1, n/10 {
		out[i] = byte('0' + n%10)
	}
}

// numbered is a name such as Customer#000000001.
func numbered(name string, n int) string {
	out := append([]byte(name), "#000000000"...)
	digits(out[len(name)+1:], n)
	return string(out)
}
