package failure

import (
	"fmt"
	"regexp"
	"strings"
)

// hint helps somebody who comes from Python with what Go's compiler says in Go's terms. It is given where the cause is sure.
type hint struct {
	message string // a regular expression for the compiler's text
	line    string // one for the cell's line, "" for any
	text    string // $1 … are the message's groups, then the line's
}

// columnOperators are the methods that stand for the operators of PySpark's columns.
var columnOperators = map[string]string{
	">": "Gt", ">=": "Ge", "<": "Lt", "<=": "Le", "==": "Eq", "!=": "Neq", "+": "Plus", "-": "Minus", "*": "Times", "/": "Div",
	"%": "Mod", "&": "And", "&&": "And", "|": "Or", "||": "Or", "!": "Not", "~": "Not",
}

var hints = []hint{
	{`expected '\(', found main`, `^(?://gonb:)?%`, "в ячейке может быть только одна строка %%: уберите вторую"},
	{`expected declaration, found '\.'|expected statement, found '\.'`, `^\s*\.`, "точка цепочки вызовов ставится в конце предыдущей строки, а не в начале новой"},
	{`expected declaration, found`, ``, "выше %% стоят только import, func, type, var и const; остальное пишется под %%, а без %% — в любом порядке"},
	{`^undefined: (\w+)$`, `^\s*(\w+)(?:\s*,\s*\w+)*\s*=[^=]`, "новая переменная объявляется знаком :=, например $2 := …"},
	{`rune literal`, `'`, "текст пишется в двойных кавычках: \"…\"; одинарные — для одной буквы"},
	{`^expected .*found "`, `\bf"`, "f-строк в Go нет: fmt.Sprintf(\"… %v …\", x)"},
	{`missing ',' in argument list|not terminated|expected ';'`, `"""`, "текст в несколько строк пишется в обратных кавычках: `…`"},
	{`^spark\.sql undefined`, ``, "имена методов в Go начинаются с большой буквы: spark.SQL(…)"},
	{`has no field or method \w+, but does have (?:method|field) (\w+)`, ``, "имена методов в Go начинаются с большой буквы: .$1"},
	{`^undefined: (\w+)\.\w+ \(but have (\w+)\)`, ``, "имена функций в Go начинаются с большой буквы: $1.$2"},
	{`^declared and not used: (\w+)`, ``, "Go не собирает программу с лишней переменной: уберите её или напишите _ = $1"},
	{`^"(.+)" imported and not used`, ``, "Go не собирает программу с лишним импортом: уберите \"$1\""},
	{`cannot use ~ outside`, `~`, "вместо ~условие пишется условие.Not()"},
	{`^undefined: None$`, ``, "вместо None в Go пишется nil"},
	{`^undefined: True$`, ``, "вместо True в Go пишется true"},
	{`^undefined: False$`, ``, "вместо False в Go пишется false"},
	{`found and$`, ``, "вместо and в Go пишется &&"},
	{`found or$`, ``, "вместо or в Go пишется ||"},
	{`illegal character U\+0023`, `#`, "комментарий в Go начинается с //"},
	{`^expected ';', found`, `^\s*def\s`, "функция в Go: func имя(x int) int { … }"},
	{`expected '\{', found in$`, `^\s*for\s`, "цикл в Go: for i := range 10 { … } или for i, x := range список { … }"},
	{`^expected ';', found`, `^\s*from\s+\S+\s+import\s`, "импорт в Go: import \"пакет\""},
	{`^import path must be a string`, ``, "имя пакета пишется в кавычках: import \"пакет\""},
	{`unexpected comma; expecting \]`, `\[`, "список в Go пишется с типом: []string{\"a\", \"b\"}, []int{1, 2}"},
	{`^expected '==', found '='`, ``, "именованных аргументов в Go нет: передайте значения по порядку"},
}

type compiledHint struct {
	message, line *regexp.Regexp
	text          string
}

var compiledHints = func() []compiledHint {
	var out []compiledHint
	for _, h := range hints {
		out = append(out, compiledHint{regexp.MustCompile(h.message), regexp.MustCompile(h.line), h.text})
	}
	return out
}()

var (
	mismatched = regexp.MustCompile(`^invalid operation: .* (\S+) .* \(mismatched types .*\blakelab\.Column\b`)
	undefined  = regexp.MustCompile(`operator (\S+) not defined on .*lakelab\.Column`)
	unknown    = regexp.MustCompile(`^undefined: (\w+)$`)
)

// Locals tells in which cell's main a name was declared.
type Locals func(name string) (cell int, ok bool)

// hintFor is the advice about a compiler's message for a line of a cell, "" for none.
func hintFor(message, line string, locals Locals) string {
	for _, pattern := range []*regexp.Regexp{mismatched, undefined} {
		m := pattern.FindStringSubmatch(message)
		if m == nil {
			continue
		}
		method := columnOperators[m[1]]
		if pattern == mismatched {
			method = columnOperators[operator(message)]
		}
		switch method {
		case "":
		case "Not":
			return "у столбцов вместо " + m[1] + "условие пишется условие.Not()"
		default:
			return "у столбцов вместо знаков операций методы: F.Col(\"a\")." + method + "(…)"
		}
	}
	for _, h := range compiledHints {
		m := h.message.FindStringSubmatch(message)
		l := h.line.FindStringSubmatch(line)
		if m == nil || l == nil {
			continue
		}
		text := h.text
		for i, group := range append(m[1:], l[1:]...) {
			text = strings.ReplaceAll(text, "$"+string(rune('1'+i)), group)
		}
		return text
	}
	if m := unknown.FindStringSubmatch(message); m != nil && locals != nil {
		if cell, ok := locals(m[1]); ok {
			return localHint(m[1], cell)
		}
	}
	return ""
}

func localHint(name string, cell int) string {
	return fmt.Sprintf("%s объявлена в теле ячейки [%d], а каждая ячейка — отдельная программа: объявите её через var вне %%%% или храните значение в lakelab.Var", name, cell)
}

// operator is the operator of `invalid operation: a OP b (mismatched types …)`: the one outside all brackets and quotes.
func operator(message string) string {
	text := strings.TrimPrefix(message, "invalid operation: ")
	depth := 0
	var quote rune
	for i, r := range text {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '`' || r == '\'':
			quote = r
		case r == '(' || r == '[' || r == '{':
			depth++
		case r == ')' || r == ']' || r == '}':
			depth--
		case r == ' ' && depth == 0:
			word, _, _ := strings.Cut(text[i+1:], " ")
			if columnOperators[word] != "" {
				return word
			}
		}
	}
	return ""
}
