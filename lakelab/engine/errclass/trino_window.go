package errclass

import (
	"fmt"

	"mini-lakehouse-lab/lakelab/types"
)

// Trino's errors of windows and their frames.

// TrinoFrame is a frame that cannot be: which one the message tells.
func TrinoFrame(message string) *Error { return trinoUser("INVALID_WINDOW_FRAME", message) }

// TrinoFrameCount is a frame of rows or groups whose offset is no whole number; end is start or end.
func TrinoFrameCount(unit, end string, t types.Type) *Error {
	return trinoMismatch("Window frame " + unit + " " + end + " value type must be exact numeric type with scale 0 (actual " + trinoName(t) + ")")
}

// TrinoFrameNeedsOrder is a frame with an offset over a window without an order.
func TrinoFrameNeedsOrder(unit string) *Error {
	return trinoUser("MISSING_ORDER_BY", "Window frame of type "+unit+" PRECEDING or FOLLOWING requires ORDER BY")
}

// TrinoRangeOrders is a RANGE frame with an offset over an order by several keys.
func TrinoRangeOrders(n int) *Error {
	return trinoUser("INVALID_ORDER_BY", fmt.Sprintf("Window frame of type RANGE PRECEDING or FOLLOWING requires single sort item in ORDER BY (actual: %d)", n))
}

// TrinoRangeOrder is a RANGE frame with an offset over an order by what nothing can be added to.
func TrinoRangeOrder(t types.Type) *Error {
	return TrinoTypeOf("Window frame of type RANGE PRECEDING or FOLLOWING requires that sort item type be numeric, datetime or interval", t)
}

// TrinoRangeValue is a RANGE frame's offset that cannot be added to the sort key.
func TrinoRangeValue(value, key types.Type) *Error {
	return trinoMismatch("Window frame RANGE value type (" + trinoName(value) + ") not compatible with sort item type (" + trinoName(key) + ")")
}

// TrinoWindowNeedsOrder is lag or lead over a window without an order.
func TrinoWindowNeedsOrder(function string) *Error {
	return trinoUser("MISSING_ORDER_BY", function+" function requires an ORDER BY window clause")
}

// TrinoWindowFilter is FILTER of a function over a window.
func TrinoWindowFilter() *Error {
	return trinoUser("NOT_SUPPORTED", "FILTER is not yet supported for window functions")
}

// TrinoNestedWindow is a function over a window inside another's specification or arguments.
func TrinoNestedWindow(where string) *Error {
	return trinoUser("NESTED_WINDOW", "Cannot nest window functions or row pattern measures inside window "+where)
}

// TrinoWindowOrder is a window's order by what has none.
func TrinoWindowOrder(t types.Type) *Error {
	return trinoMismatch(trinoName(t) + " is not orderable, and therefore cannot be used in window function ORDER BY")
}

// TrinoNoWindow is a window's name that WINDOW does not define, or only later.
func TrinoNoWindow(name string) *Error {
	return trinoUser("INVALID_WINDOW_REFERENCE", "Cannot resolve WINDOW name "+name)
}

// TrinoFramedWindow is a window built upon a named one that has a frame.
func TrinoFramedWindow() *Error {
	return trinoUser("INVALID_WINDOW_REFERENCE", "Cannot reference named WINDOW containing frame specification")
}

// TrinoWindowPartition is PARTITION BY of a window built upon a named one.
func TrinoWindowPartition() *Error {
	return trinoUser("INVALID_PARTITION_BY", "WINDOW specification with named WINDOW reference cannot specify PARTITION BY")
}

// TrinoWindowOrderTwice is ORDER BY of a window built upon a named one that has an order.
func TrinoWindowOrderTwice() *Error {
	return trinoUser("INVALID_ORDER_BY", "Cannot specify ORDER BY if referenced named WINDOW specifies ORDER BY")
}

// TrinoDuplicateWindow is a name that WINDOW defines twice.
func TrinoDuplicateWindow(name string) *Error {
	return trinoUser("DUPLICATE_WINDOW_NAME", "WINDOW name '"+name+"' specified more than once")
}

// TrinoFrameNotGrouped is a frame's offset that reads what is neither grouped nor aggregated; end is start or end.
func TrinoFrameNotGrouped(end string) *Error {
	return trinoUser("EXPRESSION_NOT_AGGREGATE", "Window frame "+end+" must be an aggregate expression or appear in GROUP BY clause")
}
