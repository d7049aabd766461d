package lakelab

import (
	"os"
	"strconv"
	"strings"

	"mini-lakehouse-lab/lakelab/internal/wire"
	"mini-lakehouse-lab/lakelab/types"
)

// TrinoResult is the whole result of a Trino statement. Printed, it is a text table like a pandas DataFrame; Display
// shows it as an HTML table. A statement without rows has one row "status: Success".
type TrinoResult struct {
	// Columns are the column names, Types Trino's names of their types: bigint, varchar(10), timestamp(6) with time zone.
	Columns, Types []string
	// Rows are the values. Numbers, texts, dates and so on are read with the methods of Row.
	Rows []Row
	// UpdateType is what Trino calls a statement that is no query, such as INSERT; else empty.
	UpdateType string

	html, text string
}

// Trino is a Trino server and this program's session on it: what USE, SET SESSION, PREPARE and START TRANSACTION change holds for
// the statements that follow on the same value.
type Trino struct {
	address, user string
	password      string
	token         string
	tls           bool
	ca            string // PEM
	embedded      bool
	state         map[string]any
}

// NewTrino describes a Trino server, as trino.dbapi.connect(host, port, user, catalog) does in Python; nothing is sent yet. It is
// an http address until TLS, Password or Token is called.
func NewTrino(host string, port int, user, catalog string) *Trino {
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return &Trino{address: host + ":" + strconv.Itoa(port), user: user, state: map[string]any{"catalog": catalog}}
}

// Schema names the schema of tables without one.
func (t *Trino) Schema(name string) *Trino {
	t.state["schema"] = name
	return t
}

// TLS makes it an https address. The server's certificate must be one that this machine trusts, or that the named PEM file vouches
// for: the certificate itself if it is self-signed.
func (t *Trino) TLS(certificate ...string) *Trino {
	t.tls = true
	for _, path := range certificate {
		b, err := os.ReadFile(path)
		if err != nil {
			raise("FileNotFoundError", "Сертификат сервера — файл PEM; путь считается от папки ноутбука.", "%v", err)
		}
		t.ca += string(b)
	}
	return t
}

// Password is the user's password. Trino takes passwords over TLS only, so this makes it an https address.
func (t *Trino) Password(password string) *Trino {
	t.tls, t.password = true, password
	return t
}

// Token is an access token (JWT) in place of a password, over TLS as well.
func (t *Trino) Token(token string) *Trino {
	t.tls, t.token = true, token
	return t
}

// TrinoQuery runs a statement of Trino's SQL over Trino's HTTP protocol on the embedded lakehouse, in the catalog lakehouse, and
// waits for all rows. Each call is a session of its own. A failure is a TrinoUserError (or TrinoQueryError …) with Trino's own message.
func TrinoQuery(sql string) *TrinoResult {
	return (&Trino{embedded: true, user: "jupyter", state: map[string]any{"catalog": "lakehouse"}}).Query(sql)
}

// Query runs a statement and waits for all rows. While it runs, the bar under the cell shows the progress that Trino reports, and the
// stop button cancels it in Trino. Errors: TrinoUserError and TrinoQueryError with Trino's own message, TrinoConnectionError.
func (t *Trino) Query(sql string) *TrinoResult {
	req := node{"op": wire.OpTrino, "sql": sql, "user": t.user, "state": t.state}
	if !t.embedded {
		scheme := "http://"
		if t.tls {
			scheme = "https://"
		}
		req["target"] = map[string]any{"address": scheme + t.address, "password": t.password, "token": t.token, "ca": t.ca}
	}
	reply := call(req)
	if state, ok := reply["state"].(map[string]any); ok {
		t.state = state
	}
	r := &TrinoResult{
		Columns: texts(reply["columns"]), Types: texts(reply["types"]), UpdateType: str(reply["updateType"]),
		html: str(reply["html"]), text: str(reply["text"]),
	}
	schema := Type{Kind: types.Struct, Fields: make([]Field, len(r.Columns))}
	for i, name := range r.Columns {
		schema.Fields[i] = Field{Name: name, Nullable: true}
		if i < len(r.Types) {
			schema.Fields[i].Type = trinoType(r.Types[i])
		}
	}
	for _, values := range rowsOf(reply["rows"]) {
		if len(values) != len(schema.Fields) {
			raise("EngineError", "", "строка из %d значений при %d колонках", len(values), len(schema.Fields))
		}
		r.Rows = append(r.Rows, Row{schema: &schema, values: values})
	}
	return r
}

// HTML is the table as markup.
func (r *TrinoResult) HTML() string { return r.html }

// Text is the table as text.
func (r *TrinoResult) Text() string { return r.text }

// String is Text, for fmt.
func (r *TrinoResult) String() string { return strings.TrimRight(r.text, "\n") }

// trinoType is the Spark type that holds a Trino type's values, as far as Row's messages and methods need it. Values of
// the others come as text.
func trinoType(name string) Type {
	base, rest, _ := strings.Cut(name, "(")
	switch base {
	case "boolean":
		return types.Of(types.Boolean)
	case "tinyint":
		return types.Of(types.Byte)
	case "smallint":
		return types.Of(types.Short)
	case "integer":
		return types.Of(types.Int)
	case "bigint":
		return types.Of(types.Long)
	case "real":
		return types.Of(types.Float)
	case "double":
		return types.Of(types.Double)
	case "date":
		return types.Of(types.Date)
	case "timestamp":
		if strings.HasSuffix(rest, "with time zone") {
			return types.Of(types.Timestamp)
		}
		return types.Of(types.TimestampNTZ)
	case "varbinary":
		return types.Of(types.Binary)
	}
	return types.Of(types.String)
}

// texts reads a list of strings in either of its forms.
func texts(v any) []string {
	if list, ok := v.([]string); ok {
		return list
	}
	list, _ := v.([]any)
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = str(x)
	}
	return out
}

// rowsOf reads rows in either of their forms.
func rowsOf(v any) [][]any {
	if rows, ok := v.([][]any); ok {
		return rows
	}
	list, _ := v.([]any)
	out := make([][]any, 0, len(list))
	for _, x := range list {
		row, ok := x.([]any)
		if !ok {
			raise("EngineError", "", "строка результата имеет вид %T", x)
		}
		out = append(out, row)
	}
	return out
}
