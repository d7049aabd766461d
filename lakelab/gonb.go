package lakelab

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"os"
	"strconv"
	"sync"
	"time"
)

// GoNB, the kernel under ours, shows what a cell's program writes to the pipe $GONB_PIPE: a stream of encoding/gob with
// protocol.DisplayData of module github.com/janpfeifer/gonb. Linking encoding/gob would double a cell's link time, and
// this program sends one shape only, so its bytes are made here. The test decodes them with the real package.
//
// A stream may have one writer: a cell that displays through lakelab must not do so through gonbui too.

// bundle is one output in two forms: the front end shows html, exports and graders read plain.
type bundle struct {
	html, plain string
	id          string // the display to make or, later, to change; empty: a display of its own
}

var notebook struct {
	mu       sync.Mutex
	out, in  *os.File
	err      error
	ids      int64
	lastSync int64
}

// inNotebook reports whether a GoNB kernel runs this program.
func inNotebook() bool { return os.Getenv("GONB_PIPE") != "" }

// newDisplayID makes an id that no other cell of the session has.
func newDisplayID() string {
	notebook.mu.Lock()
	defer notebook.mu.Unlock()
	notebook.ids++
	return "lakelab-" + strconv.Itoa(os.Getpid()) + "-" + strconv.FormatInt(time.Now().UnixNano(), 36) + "-" + strconv.FormatInt(notebook.ids, 10)
}

// sendDisplay shows a bundle and returns when the kernel has it, so that what is printed later stands below it.
func sendDisplay(b bundle) {
	notebook.mu.Lock()
	defer notebook.mu.Unlock()
	if notebook.err != nil {
		return
	}
	drainStdout() // what was printed before stands above it
	var msg []byte
	if notebook.out == nil {
		if notebook.out, notebook.err = os.OpenFile(os.Getenv("GONB_PIPE"), os.O_WRONLY, 0); notebook.err != nil {
			return
		}
		msg = gobTypes()
	}
	msg = gobDisplay(msg, b)
	back := os.Getenv("GONB_PIPE_BACK")
	if back != "" {
		notebook.lastSync++
		msg = gobSync(msg, notebook.lastSync)
	}
	if _, notebook.err = notebook.out.Write(msg); notebook.err == nil && back != "" {
		awaitSync(back)
	}
}

// syncTimeout bounds the wait for a kernel that does not answer; the output is shown all the same.
const syncTimeout = 2 * time.Second

// awaitSync reads the kernel's answer to gobSync. Each one repeats the address, so counting addresses is enough.
func awaitSync(path string) {
	if notebook.in == nil {
		var err error
		if notebook.in, err = os.OpenFile(path, os.O_RDONLY, 0); err != nil {
			return
		}
	}
	if notebook.in.SetReadDeadline(time.Now().Add(syncTimeout)) != nil {
		return
	}
	var got []byte
	for buf := make([]byte, 512); !bytes.Contains(got, []byte(syncAck)); {
		n, err := notebook.in.Read(buf)
		got = append(got, buf[:n]...)
		if err != nil {
			return
		}
	}
}

const (
	syncAddress = "#gonbui/sync"
	syncAck     = "#gonbui/sync_ack"
	commValue   = "github.com/janpfeifer/gonb/gonbui/protocol.CommValue"
)

// Type ids of this stream, and gob's own.
const (
	idDisplay = 65 + iota
	idData
	idMetadata
	idComm

	gobBool      = 1
	gobInt       = 2
	gobString    = 6
	gobInterface = 8
)

// gobTypes describes the types of the stream. A definition is a wireType: a struct with one field set, the third for
// a struct and the fourth for a map.
func gobTypes() []byte {
	var b []byte
	b = gobMessage(b, gobStruct(-idDisplay, "DisplayData", "Data", idData, "Metadata", idMetadata, "DisplayID", gobString))
	b = gobMessage(b, gobMap(-idData, gobString, gobInterface))
	b = gobMessage(b, gobMap(-idMetadata, gobString, gobInterface))
	return gobMessage(b, gobStruct(-idComm, "CommValue", "Address", gobString, "Request", gobBool, "Value", gobInterface))
}

// gobStruct is a struct's definition; fields are pairs of a name and a type id.
func gobStruct(id int64, name string, fields ...any) []byte {
	b := gobInt64(nil, id)
	b = append(b, 3)                                 // wireType.StructT
	b = append(b, 1)                                 // CommonType
	b = gobText(append(b, 1), name)                  // Name
	b = append(gobInt64(append(b, 1), -id), 0)       // Id; end of CommonType
	b = gobUint(append(b, 1), uint64(len(fields)/2)) // Field
	for i := 0; i < len(fields); i += 2 {
		b = gobText(append(b, 1), fields[i].(string))
		b = append(gobInt64(append(b, 1), int64(fields[i+1].(int))), 0)
	}
	return append(b, 0, 0) // end of StructT, of wireType
}

// gobMap is a map's definition.
func gobMap(id int64, key, elem int64) []byte {
	b := gobInt64(nil, id)
	b = append(b, 4, 1, 2) // wireType.MapT, CommonType, Id
	b = append(gobInt64(b, -id), 0)
	b = gobInt64(append(b, 1), key)
	b = gobInt64(append(b, 1), elem)
	return append(b, 0, 0)
}

// gobDisplay appends a DisplayData message.
func gobDisplay(b []byte, d bundle) []byte {
	m := gobInt64(nil, idDisplay)
	m = gobUint(append(m, 1), 2) // Data: a map of two
	for _, part := range [][2]string{{"text/html", d.html}, {"text/plain", d.plain}} {
		m = gobText(m, part[0])
		m = gobAny(m, "string", gobString, gobText([]byte{0}, part[1]))
	}
	if d.id != "" {
		m = gobText(append(m, 2), d.id) // DisplayID, two fields on
	}
	return gobMessage(b, append(m, 0))
}

// gobSync appends a message that the kernel answers once it has handled all before it.
func gobSync(b []byte, n int64) []byte {
	comm := gobText([]byte{1}, syncAddress)
	comm = gobAny(append(comm, 2), "int", gobInt, gobInt64([]byte{0}, n)) // Value, two fields on
	m := gobUint(append(gobInt64(nil, idDisplay), 1), 1)
	m = gobText(m, "gonb/comm_value")
	m = gobAny(m, commValue, idComm, append(comm, 0))
	return gobMessage(b, append(m, 0))
}

// gobAny is an interface's value: the type's name and id, then the value with its length before it.
func gobAny(b []byte, name string, id int64, value []byte) []byte {
	b = gobInt64(gobText(b, name), id)
	return append(gobUint(b, uint64(len(value))), value...)
}

func gobMessage(b, m []byte) []byte { return append(gobUint(b, uint64(len(m))), m...) }

func gobText(b []byte, s string) []byte { return append(gobUint(b, uint64(len(s))), s...) }

// gobUint writes small numbers in one byte, others as the negated count of bytes and the bytes.
func gobUint(b []byte, v uint64) []byte {
	if v < 128 {
		return append(b, byte(v))
	}
	n := (bits.Len64(v) + 7) / 8
	var buf [8]byte
	binary.BigEndian.PutUint64(buf[:], v)
	return append(append(b, byte(-n)), buf[8-n:]...)
}

// gobInt64 keeps the sign in the lowest bit.
func gobInt64(b []byte, v int64) []byte {
	u := uint64(v) << 1
	if v < 0 {
		u = ^u
	}
	return gobUint(b, u)
}
