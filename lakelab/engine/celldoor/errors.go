package celldoor

import (
	"context"
	"errors"
	"fmt"

	"mini-lakehouse-lab/lakelab/engine/errclass"
	"mini-lakehouse-lab/lakelab/internal/wire"
)

// errorReply gives an error the fields that a cell needs to fail as PySpark would.
func errorReply(err error) map[string]any {
	if errors.Is(err, context.Canceled) {
		return map[string]any{"t": "error", "exception": "KeyboardInterrupt", "message": "запрос прерван", "text": "запрос прерван"}
	}
	var e *errclass.Error
	if !errors.As(err, &e) {
		return map[string]any{"t": "error", "exception": "LakelabException", "message": err.Error(), "text": err.Error()}
	}
	params := map[string]any{}
	for k, v := range e.Params {
		params[k] = v
	}
	return map[string]any{
		"t": "error", "exception": e.Exception, "class": e.Class, "sqlState": e.SQLState,
		"message": e.Error(), "text": e.Text(), "hint": e.Hint, "params": params,
	}
}

// buildSkew says what to do when the project was built anew while the engine ran.
func buildSkew() error {
	return &errclass.Error{
		Exception: "VersionMismatchException",
		Message:   "проект собран заново, а движок этого lakehouse запущен из прежней сборки. Выполните `lakelab engine stop` и перезапустите ядро ноутбука",
	}
}

// sessionLost says that the engine which had the session's state is gone.
func sessionLost() error {
	return &errclass.Error{
		Exception: "SessionLostException",
		Message:   "движок был остановлен и запущен заново: текущая схема, настройки, временные представления и значения lakelab.Var этого ноутбука потеряны",
		Hint:      "Таблицы целы. Выполните ноутбук сначала (Run All) или хотя бы ячейки, которые задают то, что потеряно.",
	}
}

// versionSkew says what to do when a cell and the running engine speak different protocols.
func versionSkew(cell int64) error {
	newer, older := "библиотека в ячейке", "движок"
	if cell < wire.Version {
		newer, older = older, newer
	}
	return &errclass.Error{
		Exception: "VersionMismatchException",
		Message: fmt.Sprintf("%s новее, чем %s (протокол ячейки %d, протокол движка %d). Выполните `make build`, затем `lakelab engine stop` и перезапустите ядро ноутбука",
			newer, older, cell, wire.Version),
	}
}
