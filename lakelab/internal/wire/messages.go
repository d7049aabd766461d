// Package wire is the protocol between a cell (package lakelab) and the engine process: frames on a unix socket.
//
// It imports the standard library only, without encoding/json, net or reflection, because every cell links it and link
// time is a cell's latency. A frame is a 4-byte big-endian length and one encoded value (codec.go): nil, bool, int64,
// float64, string, []byte, []any, map[string]any, and the value forms of package types.
//
// A connection carries one request at a time. The cell sends a request (a map with "op"), the engine answers with any
// number of events and then one reply. Closing the connection, or a {"op":"cancel"} frame, cancels the running request.
//
//	request  {"op": Op…, …}
//	event    {"t":"progress","percent":float64 (-1 unknown),"text":string} | {"t":"rows","rows":[][]any}
//	         | {"t":"call","name":string,"rows":[][]any}: a UDF's arguments; the cell answers with "result"
//	reply    {"t":"ok", …} | {"t":"error","exception","class","sqlState","message","text","hint","params"}
//
// hello's owner is the process with which the session ends, 0 if somebody ends it by "endSession"; build names the engine's program
// as the cell sees it (empty: unknown), and an engine of another build refuses the cell.
//
// "text" of an error is str(e) as PySpark prints it, with the SQL and the caret. "text" of show, tree and explain is what
// the JVM's method of that name returns; the cell prints it and a line feed, as PySpark does.
package wire

import (
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// Version is the protocol's number. Engine and cell must have the same; raise it with every change of the protocol.
const Version = 4

// Build names an executable file: its size and modification time change with every build. It is empty if there is no such file.
func Build(path string) string {
	st, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return strconv.FormatInt(st.Size(), 10) + "-" + strconv.FormatInt(st.ModTime().UnixNano(), 10)
}

// SessionFile is the file by which an engine knows that an earlier one had a session, with state that is lost.
func SessionFile(lakehouse, session string) string {
	name := []byte(session)
	for i, c := range name {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c == '*') {
			name[i] = '_'
		}
	}
	return RunFolder(lakehouse) + "/sessions/" + string(name)
}

// RunFolder is where the engine of a lakehouse keeps what lives as long as it does: <lakehouse>/.lakelab, or a folder in the user's cache
// (else among the temporary ones) for a lakehouse that can't be written.
func RunFolder(lakehouse string) string {
	dir := filepath.Join(lakehouse, ".lakelab")
	const writable = 2
	if err := syscall.Access(lakehouse, writable); err == nil || !errors.Is(err, syscall.EROFS) && !errors.Is(err, syscall.EACCES) {
		return dir
	}
	if full, err := filepath.Abs(lakehouse); err == nil {
		lakehouse = full
	}
	if full, err := filepath.EvalSymlinks(lakehouse); err == nil {
		lakehouse = full
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(lakehouse))
	own, err := os.UserCacheDir()
	if err != nil {
		own = os.TempDir()
	}
	return filepath.Join(own, fmt.Sprintf("lakelab-%d", os.Getuid()), strconv.FormatUint(h.Sum64(), 16))
}

// Requests. Fields in braces; a relation and a column are trees of maps, described below.
const (
	OpHello      = "hello"      // {version int64, session string, app string, cwd string, owner int64, build string} -> {engine string, timeZone string}
	OpSQL        = "sql"        // {text string, args: nil | map | list of columns} -> {schema, relation}: commands run at once, their rows come back as a "rows" relation
	OpAnalyze    = "analyze"    // {relation} -> {schema}
	OpSchema     = "schema"     // {ddl string} -> {schema}: "a INT, b STRING" or a struct type's text
	OpCollect    = "collect"    // {relation, limit int64 (-1 none)} -> events "rows", then {schema, timeZone string}
	OpCount      = "count"      // {relation} -> {count int64}
	OpShow       = "show"       // {relation, n int64, truncate int64 (0 no), vertical bool} -> {text string}
	OpTree       = "tree"       // {relation, level int64 (0 all)} -> {text string}: printSchema
	OpExplain    = "explain"    // {relation, extended bool} -> {text string}
	OpHTML       = "html"       // {relation, n int64} -> {html string, text string}
	OpCreateView = "createView" // {relation, name string, replace bool, global bool}
	OpWrite      = "write"      // {relation, action string, target string, …}; the actions are listed below
	OpCatalog    = "catalog"    // {call string, args []any} -> {value any}; the calls are listed below
	OpFiles      = "files"      // {call string, args []any} -> {value any}; the calls are listed below
	OpConf       = "conf"       // {call string (get|set|unset), key string, value string} -> {value}
	OpVarGet     = "varGet"     // {name string} -> {value any, found bool}
	OpVarSet     = "varSet"     // {name string, value any (nil removes)}
	OpTrino      = "trino"      // {sql, user string, state, target} -> {columns []string, types []string, rows [][]any, html, text, updateType string, state}
	OpUDF        = "udf"        // {name string, params []{type Type, null bool}, result Type}: a function of this cell; null says that it takes NULL
	OpResult     = "result"     // {values []any} or {error string}: the cell's answer to a "call", sent while a request runs
	OpCancel     = "cancel"
	OpStop       = "stop" // ends the session: temporary views, settings and kept values go
)

// The target of trino is a Trino elsewhere: {address, password, token, ca (PEM) string}, absent for the embedded one. Its state is a
// client's session: {catalog, schema, path, user, transaction string, properties, prepared, roles (maps of strings)}.

// Relations: {"n": kind, …}. A child is a relation. One with an "id" (int64, unique in the cell) is a DataFrame that columns
// refer to by "of".
//
//	sql{text,args} table{name,options} rows{schema,rows} range{start,end,step}
//	select{child,cols} filter{child,cond} withColumns{child,names,cols} rename{child,old,new} drop{child,names,cols} toDF{child,names}
//	aggregate{child,groups,kind (groupBy|rollup|cube),aggs} pivot{child,groups,column,values,aggs}
//	sort{child,keys} limit{child,count} offset{child,count} distinct{child} dropDuplicates{child,names} alias{child,name}
//	join{left,right,kind,on | using} set{op,all,byName,allowMissing,left,right} sample{child,fraction,seed}
//	read{format,paths,options,schema (Type or absent)}
//	unpivot{child,ids,values (names),variable,value}
//
// Columns: {"c": kind, …}.
//
//	name{name,of} (dotted, backticks; "*" and "t.*" too; of: the DataFrame's id) lit{type,value} expr{text} call{name,args,distinct}
//	op{op,args} (+ - * / % = <> < <= > >= <=> and or not negative isnull isnotnull like rlike ilike in between || & | ^ ~)
//	cast{x,type (text),try} case{whens [[cond,then]…],else} alias{x,name | names} sort{x,desc,nulls} field{x,name} item{x,index}
//	update{x, name,value | drop (names)}
//	window{x,partition,order,frame{unit,start{kind,n},end{kind,n}}} lambda{params,body}
//
// A lit's type is absent where the value's Go form says it all: nil, bool, string, []byte, float32, float64, types.Dec,
// types.Days, types.Micros (TIMESTAMP). For int64 it is one of types.Byte..Long, DayTimeInterval or YearMonthInterval.
//
// Actions of write, with their fields. Options and properties are maps of strings.
//
//	path {format,mode (error|append|overwrite|ignore),options,partitionBy}: target is a folder
//	saveAsTable {format,mode,options,partitionBy} · insertInto {mode,options}: target is a table
//	create, replace, createOrReplace {format,partitions (columns: names, or calls of years … bucket),properties}
//	append, overwritePartitions · overwrite {condition}
//
// Catalog calls (args -> value; nil stands for an argument left out; a record is a map):
//
//	currentCatalog() string · setCurrentCatalog(name) · listCatalogs(pattern) []{name, description}
//	currentDatabase() string · setCurrentDatabase(name) · databaseExists(name) bool
//	listDatabases(pattern) []{name, catalog, description, locationUri}
//	getDatabase(name) {name, catalog, description, locationUri}
//	tableExists(name) bool · listTables(database, pattern) []{name, catalog, namespace []string, description, tableType, isTemporary bool}
//	getTable(name) {…} · listColumns(table) []{name, description, dataType, nullable bool, isPartition bool, isBucket bool, isCluster bool}
//	createTable(name, path, source, schema Type, description, options map) · recoverPartitions(name)
//	refreshTable(name) · refreshByPath(path) · isCached(name) bool · cacheTable(name) · uncacheTable(name) · clearCache()
//	listFunctions(database, pattern) []{name, catalog, namespace, description, className, isTemporary bool} · getFunction(name) {…}
//	dropTempView(name) bool · dropGlobalTempView(name) bool · functionExists(name) bool
//
// File calls (args -> value), inside the session's roots:
//
//	list(path) []{path, name, size int64, dir bool, modified time} · walk(path) []{…}: all files below
//	exists(path) bool · move(from, to) · delete(path) bool
