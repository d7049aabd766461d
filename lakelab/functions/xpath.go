package functions

import "mini-lakehouse-lab/lakelab"

// Functions that read XML by a path.

// XPath: texts of the XML nodes at a path (xpath).
func XPath(xml, path any) lakelab.Column { return call("xpath", xml, path) }

// XPathBoolean: true if an XML path finds something (xpath_boolean).
func XPathBoolean(xml, path any) lakelab.Column { return call("xpath_boolean", xml, path) }

// XPathDouble: value at an XML path, as double (xpath_double).
func XPathDouble(xml, path any) lakelab.Column { return call("xpath_double", xml, path) }

// XPathFloat: value at an XML path, as float (xpath_float).
func XPathFloat(xml, path any) lakelab.Column { return call("xpath_float", xml, path) }

// XPathInt: value at an XML path, as int (xpath_int).
func XPathInt(xml, path any) lakelab.Column { return call("xpath_int", xml, path) }

// XPathLong: value at an XML path, as long (xpath_long).
func XPathLong(xml, path any) lakelab.Column { return call("xpath_long", xml, path) }

// XPathNumber: value at an XML path, as number (xpath_number).
func XPathNumber(xml, path any) lakelab.Column { return call("xpath_number", xml, path) }

// XPathShort: value at an XML path, as short (xpath_short).
func XPathShort(xml, path any) lakelab.Column { return call("xpath_short", xml, path) }

// XPathString: value at an XML path, as string (xpath_string).
func XPathString(xml, path any) lakelab.Column { return call("xpath_string", xml, path) }
