package hive

// AtPoint has a function called at the named points of changes.
func AtPoint(do func(point string)) { reached = do }
