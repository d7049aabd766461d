package errclass

import "mini-lakehouse-lab/lakelab/types"

// Errors of window specifications. Those about types are completed by the analyzer: Cannot resolve "…" due to ….

func windowType(sub, why string, params map[string]string) *Error {
	return analysis("DATATYPE_MISMATCH."+sub, "42K09", "due to data type mismatch: "+why, params)
}

// RangeWithoutOrder is a RANGE frame without ORDER BY.
func RangeWithoutOrder() *Error {
	return windowType("RANGE_FRAME_WITHOUT_ORDER", "A range window frame cannot be used in an unordered window specification.", nil)
}

// RangeManyOrders is a RANGE frame with a value over several sort keys.
func RangeManyOrders(orders string) *Error {
	return windowType("RANGE_FRAME_MULTI_ORDER", "A range window frame with value boundaries cannot be used in a window specification with multiple order by expressions: "+orders+".",
		map[string]string{"orderSpec": orders})
}

// RangeType is a RANGE frame whose value can't be added to the sort key.
func RangeType(order, value types.Type) *Error {
	return windowType("RANGE_FRAME_INVALID_TYPE", `The data type "`+order.SQL()+`" used in the order specification does not support the data type "`+value.SQL()+`" which is used in the range frame.`,
		map[string]string{"orderSpecType": `"` + order.SQL() + `"`, "valueBoundaryType": `"` + value.SQL() + `"`})
}

// FrameBound is a frame that begins at its last row or ends at its first.
func FrameBound(upper, lower string) *Error {
	return windowType("SPECIFIED_WINDOW_FRAME_INVALID_BOUND", "Window frame upper bound "+upper+" does not follow the lower bound "+lower+".",
		map[string]string{"upper": upper, "lower": lower})
}

// FrameOrder is a frame whose upper bound is below the lower one.
func FrameOrder() *Error {
	return windowType("SPECIFIED_WINDOW_FRAME_WRONG_COMPARISON", "The lower bound of a window frame must be less than or equal to the upper bound.", map[string]string{"comparison": "less than or equal"})
}

// FrameTypes is a frame with bounds of two types.
func FrameTypes(lower, upper types.Type) *Error {
	return windowType("SPECIFIED_WINDOW_FRAME_DIFF_TYPES", `Window frame bounds "`+lower.SQL()+`" and "`+upper.SQL()+`" do not have the same type.`,
		map[string]string{"lowerType": `"` + lower.SQL() + `"`, "upperType": `"` + upper.SQL() + `"`})
}

// FrameValueType is a bound whose type the frame does not take.
func FrameValueType(location string, value types.Type, expected string) *Error {
	return windowType("SPECIFIED_WINDOW_FRAME_UNACCEPTED_TYPE", "The data type of the "+location+` bound "`+value.SQL()+`" does not match the expected data type `+expected+".",
		map[string]string{"location": location, "exprType": `"` + value.SQL() + `"`, "expectedType": expected})
}

// FrameNotLiteral is a bound that depends on rows.
func FrameNotLiteral() *Error {
	return &Error{Exception: "ParseException", Class: "_LEGACY_ERROR_TEMP_0064", Message: "Frame bound value must be a literal.", Context: true}
}

// WindowNeedsOrder is a function over a window without ORDER BY that needs one.
func WindowNeedsOrder(function string) *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_1037",
		Message: "Window function " + function + " requires window to be ordered, please add ORDER BY clause. For example SELECT " + function + "(value_expr) OVER (PARTITION BY window_partition ORDER BY window_ordering) from table."}
}

// WindowFilter is FILTER of a function over a window.
func WindowFilter() *Error {
	return &Error{Exception: "AnalysisException", Class: "_LEGACY_ERROR_TEMP_1030", Message: "Window aggregate function with filter predicate is not supported yet."}
}

// WindowDistinct is DISTINCT of a function over a window.
func WindowDistinct(expression string) *Error {
	return analysis("DISTINCT_WINDOW_FUNCTION_UNSUPPORTED", "0A000", "Distinct window functions are not supported: "+`"`+expression+`".`, map[string]string{"windowExpr": `"` + expression + `"`})
}
