package build

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// fixImports does goimports' work on GoNB's main.go: imports that are not used go, missing ones of which there is only one
// candidate come. ok is false if the real goimports has to decide. GoNB reads nothing but the imports from the result.
func (m *Manifest) fixImports(text []byte) (fixed []byte, ok bool) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "main.go", text, 0)
	if err != nil {
		return nil, false
	}
	used := usedPackages(file)
	var specs []string
	have := map[string]bool{}
	for _, spec := range file.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, false
		}
		name := m.Packages[importPath]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		switch {
		case name == "_" || name == ".":
			if name == "." {
				return nil, false // which of its names are used takes a type checker
			}
		case name == "":
			return nil, false // a package that there is no archive of
		case !used[name]:
			continue
		}
		have[name] = true
		line := spec.Path.Value
		if spec.Name != nil {
			line = spec.Name.Name + " " + line
		}
		specs = append(specs, line)
	}
	for name := range used {
		if have[name] || declares(file, name) {
			continue
		}
		found := m.candidates(name)
		switch len(found) {
		case 0: // the compiler will say that it is undefined
		case 1:
			specs = append(specs, strconv.Quote(found[0]))
		default:
			return nil, false
		}
	}
	slices.Sort(specs)
	return withImports(fset, file, text, specs), true
}

// usedPackages are the names that stand before a dot and are declared nowhere in the file.
func usedPackages(file *ast.File) map[string]bool {
	unresolved := map[*ast.Ident]bool{}
	for _, id := range file.Unresolved {
		unresolved[id] = true
	}
	used := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && unresolved[id] {
				used[id.Name] = true
			}
		}
		return true
	})
	return used
}

func declares(file *ast.File, name string) bool {
	return file.Scope != nil && file.Scope.Lookup(name) != nil
}

// candidates are the packages of a name that a cell may import.
func (m *Manifest) candidates(name string) []string {
	var found []string
	for importPath, packageName := range m.Packages {
		if packageName == name && path.Base(importPath) != "main" && importable(importPath) {
			found = append(found, importPath)
		}
	}
	// A package of the standard library goes before others of its name, as with goimports.
	if std := slices.DeleteFunc(slices.Clone(found), func(p string) bool {
		return strings.Contains(strings.Split(p, "/")[0], ".") || strings.HasPrefix(p, "mini-lakehouse-lab/")
	}); len(std) > 0 {
		return std
	}
	return slices.DeleteFunc(found, func(p string) bool { return !slices.Contains(wanted, p) })
}

func importable(importPath string) bool {
	for _, part := range strings.Split(importPath, "/") {
		if part == "internal" || part == "vendor" {
			return false
		}
	}
	return true
}

// withImports replaces the import declarations.
func withImports(fset *token.FileSet, file *ast.File, text []byte, specs []string) []byte {
	var b bytes.Buffer
	b.WriteString("package main\n\n")
	if len(specs) > 0 {
		b.WriteString("import (\n\t" + strings.Join(specs, "\n\t") + "\n)\n")
	}
	from := fset.Position(file.Name.End()).Offset
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			b.Write(text[from:fset.Position(g.Pos()).Offset])
			from = fset.Position(g.End()).Offset
		}
	}
	b.Write(text[from:])
	return b.Bytes()
}
