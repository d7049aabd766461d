package wire

import (
	"encoding/binary"
	"fmt"
	"io"
)

// WriteFrame sends one value in one Write.
func WriteFrame(w io.Writer, v any) error {
	b, err := Append(make([]byte, 4, 512), v)
	if err != nil {
		return err
	}
	if len(b)-4 > MaxFrame {
		return ErrTooLarge
	}
	binary.BigEndian.PutUint32(b, uint32(len(b)-4))
	_, err = w.Write(b)
	return err
}

// ReadFrame receives one value. It returns io.EOF if the other side closed between frames.
func ReadFrame(r io.Reader) (any, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := int(binary.BigEndian.Uint32(head[:]))
	if n > MaxFrame {
		return nil, fmt.Errorf("%w: a frame of %d bytes", ErrMalformed, n)
	}
	// Memory grows with what has arrived, not with what was announced.
	const step = 1 << 20
	b := make([]byte, min(n, step))
	for got := 0; ; {
		if _, err := io.ReadFull(r, b[got:]); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		if got = len(b); got == n {
			break
		}
		grown := make([]byte, min(n, 2*got))
		copy(grown, b)
		b = grown
	}
	return Decode(b)
}
